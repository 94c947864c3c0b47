/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings for the connections to all hosts.
 *
 * @param configFile the SSH configuration file, whose aliases may be used; none if absent
 * @param knownHosts the file of known host keys
 * @param acceptNewHostKeys whether the key of a host that is not in that file is accepted and added; a changed key
 *     never is
 * @param lease how long the processes on a host go on without a sign of life from the orchestrator
 * @param patience how long an unreachable host is waited for
 */
public record SshSettings(
        Optional<Path> configFile, Path knownHosts, boolean acceptNewHostKeys, Duration lease, Duration patience) {

    /** Default of {@link #lease}. */
    public static final Duration DEFAULT_LEASE = Duration.ofSeconds(120);

    /** Default of {@link #patience}. */
    public static final Duration DEFAULT_PATIENCE = Duration.ofSeconds(60);

    private static final Duration MIN_LEASE = Duration.ofSeconds(5);

    /**
     * Checks the times.
     *
     * @throws IllegalArgumentException if the lease is shorter than 5 s or the patience is negative
     */
    public SshSettings {
        if (lease.compareTo(MIN_LEASE) < 0) {
            throw new IllegalArgumentException("the lease must be at least " + MIN_LEASE.toSeconds() + " s but was "
                    + lease.toMillis() + " ms: it is renewed several times in its length");
        }
        if (patience.isNegative()) {
            throw new IllegalArgumentException("the patience must not be negative but was " + patience);
        }
    }

    /** Returns the settings that {@code ssh} of this user has, with the default lease and patience. */
    public static SshSettings defaults() {
        Path directory = Path.of(System.getProperty("user.home"), ".ssh");
        return new SshSettings(
                Optional.of(directory.resolve("config")),
                directory.resolve("known_hosts"),
                false,
                DEFAULT_LEASE,
                DEFAULT_PATIENCE);
    }
}
