/* SPDX-License-Identifier: Apache-2.0 */
/** Reads sample files that JMeter wrote, whatever their form, and summarizes them. */
@NullMarked
package io.gatebench.jtl;

import org.jspecify.annotations.NullMarked;
