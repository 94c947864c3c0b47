/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.Probe;

/**
 * Probes of the scenario that go along with a load, apart from its samples.
 *
 * @param oneIn one probe is sent for so many samples, and each probe at least once in the window; 0 for none at all
 * @param tokenFile a line {@code <kind>,<token>} for each kind of token that probes carry, see {@link #writeTokens};
 *     probes whose token is not there are left out
 * @since 0.1
 */
public record LoadProbes(int oneIn, Optional<Path> tokenFile) {

    /** One probe for so many samples is sent along with every load of a run. */
    public static final int DEFAULT_ONE_IN = 1000;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if {@code oneIn} is negative
     */
    public LoadProbes {
        if (oneIn < 0) {
            throw new IllegalArgumentException("one probe in that many samples must not be negative but was " + oneIn);
        }
    }

    /** Returns that no probe goes along. */
    public static LoadProbes none() {
        return new LoadProbes(0, Optional.empty());
    }

    /**
     * Writes a token file.
     *
     * @throws LoadException if it cannot be written
     */
    public static void writeTokens(Path file, Map<Probe.Token, String> tokens) {
        List<String> lines = new ArrayList<>();
        new EnumMap<>(tokens).forEach((kind, token) -> lines.add(kind.name().toLowerCase(Locale.ROOT) + "," + token));
        try {
            Files.write(file, lines);
        } catch (IOException e) {
            throw new LoadException("cannot write the tokens of the probes to " + file + ": " + e, e);
        }
    }

    /**
     * Returns the tokens of the file; none without one.
     *
     * @throws LoadException if it cannot be read
     */
    public Map<Probe.Token, String> tokens() {
        Map<Probe.Token, String> tokens = new EnumMap<>(Probe.Token.class);
        if (tokenFile.isEmpty()) {
            return tokens;
        }
        try {
            for (String line : Files.readAllLines(tokenFile.get())) {
                String[] parts = line.split(",", 2);
                if (parts.length == 2) {
                    tokens.put(Probe.Token.valueOf(parts[0].toUpperCase(Locale.ROOT)), parts[1]);
                }
            }
            return tokens;
        } catch (IOException | IllegalArgumentException e) {
            throw new LoadException("cannot read the tokens of the probes " + tokenFile.get() + ": " + e, e);
        }
    }
}
