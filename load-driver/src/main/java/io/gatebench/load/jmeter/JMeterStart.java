/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;

import us.abstracta.jmeter.javadsl.core.engines.JmeterEnvironment;

/** Brings up what JMeter keeps in static fields. */
public final class JMeterStart {

    private static final String FUNCTIONS = "org.apache.jmeter.engine.util.CompoundVariable";

    private JMeterStart() {}

    /**
     * Prepares a JVM that serves as a load generator and as nothing else: makes JMeter's home and has JMeter look for its
     * functions where there are none.
     *
     * <p>jmeter-java-dsl sets the search path to the jars of a plan's elements, and JMeter then loads every class in them
     * to find functions: of the program's own jar that is tens of thousands, in seconds. No plan of ours names a function,
     * what a user gives must not be one, and the engines of some that are scripts are left out of the dependencies.
     */
    public static void prepare() {
        try {
            new JmeterEnvironment();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a home for JMeter: " + e.getMessage(), e);
        }
        findFunctions(ClassLoader.getPlatformClassLoader());
    }

    /**
     * Has JMeter look for its functions, in a JVM that serves others too and whose home of JMeter is made.
     *
     * <p>It would do so by itself, but JDK 24 and later end the search with an error at a function whose script engine is
     * not there; before, that function alone was left out, and so it is here.
     */
    static void findFunctions() {
        findFunctions(new CompleteFunctions(Thread.currentThread().getContextClassLoader()));
    }

    private static void findFunctions(ClassLoader loader) {
        Thread thread = Thread.currentThread();
        ClassLoader services = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(loader);
            Class.forName(FUNCTIONS);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this JMeter has no " + FUNCTIONS, e);
        } finally {
            thread.setContextClassLoader(services);
        }
    }

    /** Does not find functions of JMeter that name a class which is not there. */
    static final class CompleteFunctions extends ClassLoader {
        CompleteFunctions(ClassLoader parent) {
            super(parent);
        }

        @Override
        public Class<?> loadClass(String name) throws ClassNotFoundException {
            Class<?> type = super.loadClass(name);
            if (name.startsWith("org.apache.jmeter.functions.")) {
                try {
                    type.getConstructors();
                } catch (LinkageError e) {
                    throw new ClassNotFoundException(name + " needs " + e.getMessage(), e);
                }
            }
            return type;
        }
    }
}
