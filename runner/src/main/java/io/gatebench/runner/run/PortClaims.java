/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ports of a machine that one of several gateways has found free: until it listens there, the others would find them free as
 * well. Threads may share it.
 */
final class PortClaims {

    private final Map<Integer, String> claimants = new ConcurrentHashMap<>();

    /** Claims a port that is free; returns whether it is the claimant's now, or was before. */
    boolean claim(int port, String claimant) {
        return claimants.computeIfAbsent(port, unclaimed -> claimant).equals(claimant);
    }
}
