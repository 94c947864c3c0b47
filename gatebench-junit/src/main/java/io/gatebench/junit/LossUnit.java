/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.junit;

/**
 * In what a loss is counted.
 *
 * @since 0.1
 */
public enum LossUnit {
    /** In parts of a hundred of what the other gateway does. */
    PERCENT
}
