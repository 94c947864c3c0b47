/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A case that is too long to be part of every build: it runs with {@code -Dgatebench.failures=all}. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@EnabledIfSystemProperty(
        named = "gatebench.failures",
        matches = "all",
        disabledReason = "takes minutes; -Dgatebench.failures=all runs it")
@interface WithAllFailures {}
