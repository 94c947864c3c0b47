/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The nouns of a performance run: plan, test case, statistics, GC summary and run result.
 * Records, enums and sealed types only, used by two modules or more; no I/O and no third-party code.
 */
package io.gatebench.model;
