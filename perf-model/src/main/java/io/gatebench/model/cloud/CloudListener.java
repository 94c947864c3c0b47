/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

/** Is told in words what happens to rented machines. */
@FunctionalInterface
public interface CloudListener {

    /** Takes one line. */
    void note(String line);

    /** Takes how much is left of what is being removed. */
    default void removing(int left) {}
}
