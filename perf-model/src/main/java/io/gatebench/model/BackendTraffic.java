/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Optional;

/**
 * Requests that a run's own back end has counted during the load.
 *
 * @param requests requests that it got
 * @param requestsPerSample requests that one sample of the load makes of itself
 * @param bodies bytes of their bodies, where they have to be a given number
 * @since 0.1
 */
public record BackendTraffic(long requests, long requestsPerSample, Optional<Bodies> bodies) {

    /**
     * Bodies of requests.
     *
     * @param bytes bytes that the back end got
     * @param payloadBytes bytes of the payload that a client sent with one sample
     * @param rebuilt whether the gateway had to build bodies of another length; otherwise they had to pass as they are
     */
    public record Bodies(long bytes, long payloadBytes, boolean rebuilt) {}
}
