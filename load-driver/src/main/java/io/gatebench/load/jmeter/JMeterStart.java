/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.io.UncheckedIOException;

import us.abstracta.jmeter.javadsl.core.engines.JmeterEnvironment;

/** Brings up what JMeter keeps in static fields, in a JVM that serves as a load generator and as nothing else. */
public final class JMeterStart {

    private static final String FUNCTIONS = "org.apache.jmeter.engine.util.CompoundVariable";

    private JMeterStart() {}

    /**
     * Makes JMeter's home and has JMeter look for its functions where there are none.
     *
     * <p>jmeter-java-dsl sets the search path to the jars of a plan's elements, and JMeter then loads every class in them
     * to find functions: of the program's own jar that is tens of thousands, in seconds. No plan of ours names a function,
     * what a user gives must not be one, and the engines of some that are scripts are left out of the dependencies.
     */
    public static void prepare() {
        Thread thread = Thread.currentThread();
        ClassLoader services = thread.getContextClassLoader();
        try {
            new JmeterEnvironment();
            thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
            Class.forName(FUNCTIONS);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot make a home for JMeter: " + e.getMessage(), e);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("this JMeter has no " + FUNCTIONS, e);
        } finally {
            thread.setContextClassLoader(services);
        }
    }
}
