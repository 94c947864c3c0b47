/* SPDX-License-Identifier: Apache-2.0 */
/** Fakes of what a run meets: a clock, a host, its processes, a product and its gateway. */
package io.gatebench.runner.fake;
