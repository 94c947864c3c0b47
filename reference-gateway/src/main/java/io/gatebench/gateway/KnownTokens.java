/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The opaque tokens that were issued.
 *
 * @param expiries the end of each token; {@link Instant#MAX} for one that does not end
 * @param clock what time it is
 */
record KnownTokens(Map<String, Instant> expiries, Clock clock) {

    KnownTokens {
        expiries = Map.copyOf(expiries);
    }

    /**
     * Reads a CSV file without header: a token, and optionally its expiry in seconds since 1970 or in ISO 8601.
     *
     * @throws UsageException if the file cannot be read, holds no token, or a line has another form; the message names the
     *     line but never the token
     */
    static KnownTokens read(Path file, Clock clock) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UsageException("the token file '" + file + "' cannot be read: " + Problem.of(e));
        }
        Map<String, Instant> expiries = new HashMap<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            int comma = line.indexOf(',');
            try {
                if (comma < 0) {
                    expiries.put(line, Instant.MAX);
                } else {
                    expiries.put(
                            line.substring(0, comma).strip(),
                            instant(line.substring(comma + 1).strip()));
                }
            } catch (DateTimeException | NumberFormatException e) {
                problems.add(file + ", line " + (i + 1)
                        + ": the expiry must be seconds since 1970 or ISO 8601, such as 2027-01-01T00:00:00Z");
            }
        }
        if (!problems.isEmpty()) {
            throw new UsageException(problems.subList(0, Math.min(5, problems.size())));
        }
        if (expiries.isEmpty()) {
            throw new UsageException("the token file '" + file + "' holds no token");
        }
        return new KnownTokens(expiries, clock);
    }

    /** Returns the answer of RFC 7662 section 2.2 about a token. */
    String describe(String token) {
        Instant expiry = expiries.get(token);
        if (expiry == null || !expiry.isAfter(clock.instant())) {
            return "{\"active\":false}";
        }
        String end = expiry.equals(Instant.MAX) ? "" : ",\"exp\":" + expiry.getEpochSecond();
        return "{\"active\":true,\"token_type\":\"Bearer\",\"sub\":\"admin@carbon.super\",\"scope\":\"default\"" + end
                + "}";
    }

    /** Hides the tokens. */
    @Override
    public String toString() {
        return "KnownTokens[" + expiries.size() + "]";
    }

    private static Instant instant(String text) {
        return text.chars().allMatch(Character::isDigit)
                ? Instant.ofEpochSecond(Long.parseLong(text))
                : Instant.parse(text);
    }
}
