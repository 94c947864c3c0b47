/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter of type {@link java.nio.file.Path} that gets the results directory of the test method, which exists.
 *
 * @since 0.1
 */
@Target(ElementType.PARAMETER)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface ResultsPath {}
