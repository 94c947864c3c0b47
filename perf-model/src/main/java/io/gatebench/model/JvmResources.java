/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * Processors, memory and heap that the JVM of a gateway believes to have, beside what the plan gives it.
 *
 * @param processors what {@code availableProcessors} returned at its start
 * @param plannedProcessors whole processors that it must see
 * @param memory the memory that it sees
 * @param plannedMemory the limit on its memory, if it has one
 * @param heap the most that its heap may take
 * @since 0.1
 */
public record JvmResources(
        int processors, int plannedProcessors, DataSize memory, Optional<DataSize> plannedMemory, DataSize heap) {}
