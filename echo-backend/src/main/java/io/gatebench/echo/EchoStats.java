/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts of a server since it started; a response is counted before it is sent, so that a client that has it finds
 * it here.
 *
 * @param requests complete, well-formed requests
 * @param responses responses by status, in the order of the status; those to requests that were refused (400, 408, 413,
 *     414, 417, 431, 501, 505) are among them although they are no requests above
 * @param requestBytes bytes of request bodies that were received
 * @param responseBytes bytes of response bodies, counted when their response begins
 * @param connectionsOpened connections accepted
 * @param connectionsOpen connections open now
 * @param connectionsRefused connections closed at once because of the limit
 * @param resets connections or streams reset on purpose
 * @param neverAnswered requests left without an answer on purpose
 * @param timeouts connections closed, or answered 408, because the client was too slow
 * @param delays how exact the delays were
 * @since 0.1
 */
public record EchoStats(
        long requests,
        SortedMap<Integer, Long> responses,
        long requestBytes,
        long responseBytes,
        long connectionsOpened,
        long connectionsOpen,
        long connectionsRefused,
        long resets,
        long neverAnswered,
        long timeouts,
        Delays delays) {

    /** Copies the map. */
    public EchoStats {
        responses = Collections.unmodifiableSortedMap(new TreeMap<>(responses));
    }

    /** Returns the number of responses of every status together. */
    public long responseCount() {
        return responses.values().stream().mapToLong(Long::longValue).sum();
    }

    /**
     * Compares the delays that were asked for with those that were given, from the last byte of a request read to the
     * first byte of its response written, in microseconds.
     *
     * @param count responses with a delay above zero
     * @param askedMeanMicros mean of the delays asked for; 0 if there were none
     * @param askedMaxMicros longest delay asked for; 0 if there were none
     * @param lateP50Micros median of actual minus asked; 0 if there were none
     * @param lateP99Micros 99th percentile of actual minus asked; 0 if there were none
     * @param lateMaxMicros largest actual minus asked; 0 if there were none
     */
    public record Delays(
            long count,
            double askedMeanMicros,
            long askedMaxMicros,
            long lateP50Micros,
            long lateP99Micros,
            long lateMaxMicros) {}
}
