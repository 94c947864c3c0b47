/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The built-in gateway for the scenarios of integration products: Apache Synapse, started in this JVM.
 *
 * <p>{@link io.gatebench.synapse.Main} is the entry point of the runnable jar; nothing here is meant to be called
 * from another module.
 */
@NullMarked
package io.gatebench.synapse;

import org.jspecify.annotations.NullMarked;
