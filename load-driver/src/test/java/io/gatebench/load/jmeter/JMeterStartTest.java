/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class JMeterStartTest {

    /** The service loader of JDK 24 and later ends with an error at a class that it finds but cannot link. */
    @Test
    void aFunctionWhoseScriptEngineIsMissingIsNotFound() throws ClassNotFoundException {
        ClassLoader all = getClass().getClassLoader();
        ClassLoader functions = new JMeterStart.CompleteFunctions(all);

        assertThat(functions.loadClass("org.apache.jmeter.functions.Uuid"))
                .isSameAs(all.loadClass("org.apache.jmeter.functions.Uuid"));
        assertThatThrownBy(() -> functions.loadClass("org.apache.jmeter.functions.JavaScript"))
                .isInstanceOf(ClassNotFoundException.class)
                .hasMessageContaining("org/mozilla/javascript");
    }
}
