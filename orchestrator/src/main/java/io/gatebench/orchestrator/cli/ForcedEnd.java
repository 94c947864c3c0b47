/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Ends the program at once when the user interrupts it a second time, while it still keeps what was measured.
 *
 * <p>A JVM that is going down takes no notice of a further signal of its own accord. The class for signals is no part of the
 * Java platform, so that it is looked for; where it is missing, the second interruption waits for the first.
 */
final class ForcedEnd {

    private ForcedEnd() {}

    /** From now on an interruption kills every process that was started here and ends the JVM. */
    static void atNextInterruption() {
        atNextInterruption(ForcedEnd::end);
    }

    /** From now on an interruption does something else; returns whether it is noticed here. */
    static boolean atNextInterruption(Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler end = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                }
                return null;
            };
            Object ending = Proxy.newProxyInstance(ForcedEnd.class.getClassLoader(), new Class<?>[] {handler}, end);
            for (String name : new String[] {"INT", "TERM"}) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ending);
            }
            return true;
        } catch (ReflectiveOperationException e) {
            // The first interruption goes on to its end, as it would without this.
            return false;
        }
    }

    private static void end() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED.code());
    }
}
