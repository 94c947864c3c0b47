/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One request that becomes a scenario.
 *
 * @param name what the source calls it
 * @param method the HTTP method
 * @param base scheme, host and port, empty if the source does not say them
 * @param path path and query, beginning with a slash
 * @param headers the headers to send
 * @param body the body, if it has one
 * @param status the status of a right answer, if the source says one
 * @param contains text of a right answer, if the source says one
 */
record Request(
        String name,
        String method,
        String base,
        String path,
        Map<String, String> headers,
        Optional<String> body,
        OptionalInt status,
        Optional<String> contains) {}
