/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Steps that users send where that is more than one request again and again: {@link io.gatebench.load.engine.steps.CompiledSteps}.
 */
@org.jspecify.annotations.NullMarked
package io.gatebench.load.engine.steps;
