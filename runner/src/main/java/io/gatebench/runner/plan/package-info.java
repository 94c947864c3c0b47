/* SPDX-License-Identifier: Apache-2.0 */
/** From profile, plan file and options to a validated {@link io.gatebench.model.PerfPlan}. */
@NullMarked
package io.gatebench.runner.plan;

import org.jspecify.annotations.NullMarked;
