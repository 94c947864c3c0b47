/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.time.Duration;
import java.util.List;

/**
 * The axes whose product is the list of test cases.
 *
 * @param heaps heap sizes of the gateway
 * @param users concurrent users
 * @param messageSizes request payloads in bytes
 * @param queries GraphQL query numbers
 * @param elements numbers of XML elements
 * @param backendDelays waits added by the back end
 * @since 0.1
 */
public record ParameterMatrix(
        List<DataSize> heaps,
        List<Integer> users,
        List<Integer> messageSizes,
        List<Integer> queries,
        List<Integer> elements,
        List<Duration> backendDelays) {

    /** Copies the lists. */
    public ParameterMatrix {
        heaps = List.copyOf(heaps);
        users = List.copyOf(users);
        messageSizes = List.copyOf(messageSizes);
        queries = List.copyOf(queries);
        elements = List.copyOf(elements);
        backendDelays = List.copyOf(backendDelays);
    }
}
