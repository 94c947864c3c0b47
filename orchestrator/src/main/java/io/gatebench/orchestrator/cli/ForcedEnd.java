/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

/**
 * Ends the program at once when the user interrupts it a second time, while it still keeps what was measured.
 *
 * <p>A JVM that is going down takes no notice of a further signal of its own accord. The class for signals is no part of the
 * Java platform, so that it is looked for; where it is missing, the second interruption waits for the first.
 */
final class ForcedEnd {

    private static final List<String> SIGNALS = List.of("INT", "TERM");

    private ForcedEnd() {}

    /**
     * From now on the second interruption kills every process that was started here and ends the JVM, however soon it comes:
     * what only the answer to the first one prepared would miss it.
     */
    static void atSecondInterruption() {
        AtomicBoolean interrupted = new AtomicBoolean();
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Method install = signal.getMethod("handle", signal, handler);
            Method handle = handler.getMethod("handle", signal);
            Object ignored = handler.getField("SIG_IGN").get(null);
            for (String name : SIGNALS) {
                Object kind = signal.getConstructor(String.class).newInstance(name);
                AtomicReference<@Nullable Object> before = new AtomicReference<>();
                InvocationHandler count = (proxy, method, arguments) -> {
                    if (method.getName().equals("handle")) {
                        if (interrupted.getAndSet(true)) {
                            end();
                        }
                        handle.invoke(before.get(), arguments);
                    }
                    return null;
                };
                before.set(install.invoke(null, kind, proxy(handler, count)));
                if (ignored.equals(before.get())) {
                    install.invoke(null, kind, ignored);
                }
            }
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            // The first interruption goes on to its end, as it would without this.
            return;
        }
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
            Object ending = proxy(handler, end);
            for (String name : SIGNALS) {
                signal.getMethod("handle", signal, handler)
                        .invoke(null, signal.getConstructor(String.class).newInstance(name), ending);
            }
            return true;
        } catch (ReflectiveOperationException e) {
            // The first interruption goes on to its end, as it would without this.
            return false;
        }
    }

    private static Object proxy(Class<?> handler, InvocationHandler calls) {
        return Proxy.newProxyInstance(ForcedEnd.class.getClassLoader(), new Class<?>[] {handler}, calls);
    }

    /** Ends the JVM with the code of an interruption; to be called in a shutdown hook. */
    static void asInterrupted() {
        Runtime.getRuntime().halt(ExitStatus.INTERRUPTED.code());
    }

    private static void end() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        asInterrupted();
    }
}
