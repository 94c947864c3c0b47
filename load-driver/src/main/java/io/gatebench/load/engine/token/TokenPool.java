/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import java.io.IOException;
import java.nio.charset.MalformedInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.text.ParseException;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.util.Base64URL;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.TokenSlice;

/**
 * Bearer tokens that users send in turn.
 *
 * @param tokens the tokens, at least one
 * @param expiries when a token expires by the word of who issued it; JWTs say it themselves
 * @since 0.1
 */
public record TokenPool(List<String> tokens, Map<String, Instant> expiries) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final long MAX_BYTES = 256L << 20;
    private static final int OPAQUE_LENGTH = 36;
    private static final String OPAQUE_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz";

    /**
     * Copies list and map.
     *
     * @throws IllegalArgumentException if there is no token
     */
    public TokenPool {
        tokens = List.copyOf(tokens);
        expiries = Map.copyOf(expiries);
        if (tokens.isEmpty()) {
            throw new IllegalArgumentException("a token pool must hold at least one token");
        }
    }

    /** Creates a pool of tokens whose expiry only they themselves know. */
    public TokenPool(List<String> tokens) {
        this(tokens, Map.of());
    }

    /**
     * Makes signed tokens on all processors.
     *
     * @param count how many, at least 1
     * @param progress is told the number of finished tokens, from several threads
     */
    public static TokenPool generate(int count, TokenSpec spec, SigningKey key, Clock clock, IntConsumer progress) {
        AtomicInteger done = new AtomicInteger();
        return new TokenPool(IntStream.range(0, count)
                .parallel()
                .mapToObj(i -> {
                    String token = generate(spec, key, clock);
                    progress.accept(done.incrementAndGet());
                    return token;
                })
                .toList());
    }

    /** Makes one signed token. */
    public static String generate(TokenSpec spec, SigningKey key, Clock clock) {
        long now = clock.instant().getEpochSecond();
        Map<String, Object> replacements = Map.of(
                TokenSpec.NOW, Math.min(now, now + spec.lifetime().toSeconds()),
                TokenSpec.EXPIRY, now + spec.lifetime().toSeconds(),
                TokenSpec.UUID, UUID.randomUUID().toString());
        Map<String, Object> header = new LinkedHashMap<>();
        spec.thumbprint().ifPresent(value -> header.put("x5t", value));
        header.put("kid", spec.keyId());
        header.put("typ", spec.type());
        header.put("alg", key.algorithm().name());
        try {
            JWSHeader joseHeader = JWSHeader.parse(header);
            Payload payload = new Payload(claims(spec.claims(), replacements));
            if (spec.padded()) {
                return padded(joseHeader, payload, key.signer());
            }
            JWSObject token = new JWSObject(joseHeader, payload);
            token.sign(key.signer());
            return token.serialize();
        } catch (ParseException | JOSEException e) {
            throw new LoadException("a token cannot be made: " + e.getMessage(), e);
        }
    }

    /** The predecessor's form, which RFC 7515 forbids: each of the three parts ends with its padding. */
    private static String padded(JWSHeader header, Payload payload, JWSSigner signer) throws JOSEException {
        String content = padded(header.toBase64URL()) + "." + padded(payload.toBase64URL());
        return content + "." + padded(signer.sign(header, content.getBytes(StandardCharsets.US_ASCII)));
    }

    private static String padded(Base64URL part) {
        return Base64.getUrlEncoder().encodeToString(part.decode());
    }

    private static Map<String, Object> claims(Map<String, Object> claims, Map<String, Object> replacements) {
        Map<String, Object> replaced = new LinkedHashMap<>();
        claims.forEach((name, value) -> replaced.put(name, claim(value, replacements)));
        return replaced;
    }

    private static Object claim(Object value, Map<String, Object> replacements) {
        if (value instanceof String text) {
            return replacements.getOrDefault(text, text);
        }
        if (value instanceof Map<?, ?> map) {
            Map<String, Object> replaced = new LinkedHashMap<>();
            map.forEach((name, inner) -> replaced.put(String.valueOf(name), claim(inner, replacements)));
            return replaced;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(inner -> claim(inner, replacements)).toList();
        }
        if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
            return value;
        }
        throw new IllegalArgumentException("a claim must be a text, a whole number, a boolean, a list or a map but was "
                + value.getClass().getName());
    }

    /** Makes one token that was valid until an hour ago. */
    public static String expired(TokenSpec spec, SigningKey key, Clock clock) {
        return generate(spec.withLifetime(Duration.ofHours(-1)), key, clock);
    }

    /** Makes one token with the same claims and key identifier that another key has signed. */
    public static String foreign(TokenSpec spec, SigningKey key, Clock clock) {
        return generate(spec, SigningKey.generate(key.algorithm()), clock);
    }

    /** Makes one token for another audience. */
    public static String wrongAudience(TokenSpec spec, SigningKey key, Clock clock) {
        String other = "another-audience-" + UUID.randomUUID();
        TokenSpec changed = spec;
        for (String claim : List.of("aud", "azp", "client_id")) {
            if (spec.claims().containsKey(claim)) {
                changed = changed.withClaim(claim, other);
            }
        }
        return generate(changed, key, clock);
    }

    /** Makes opaque tokens of 36 random letters and digits; someone must make the gateway know them. */
    public static TokenPool opaque(int count) {
        SecureRandom random = new SecureRandom();
        return new TokenPool(IntStream.range(0, count)
                .mapToObj(i -> random.ints(OPAQUE_LENGTH, 0, OPAQUE_CHARACTERS.length())
                        .collect(
                                StringBuilder::new,
                                (out, index) -> out.append(OPAQUE_CHARACTERS.charAt(index)),
                                StringBuilder::append)
                        .toString())
                .toList());
    }

    /**
     * Reads tokens, one per line, with the time of their expiry behind a comma if that is known, e.g. {@code
     * 2026-01-31T12:00:00Z}. Empty lines and anything else behind a comma are ignored.
     *
     * @throws LoadException if the file cannot be read, holds no token, or a line is no token
     */
    public static TokenPool readCsv(Path file) {
        List<String> tokens = new ArrayList<>();
        Map<String, Instant> expiries = new HashMap<>();
        try {
            if (Files.exists(file) && !Files.isRegularFile(file)) {
                throw new LoadException("cannot read tokens from " + file + ": it is no regular file");
            }
            if (Files.size(file) > MAX_BYTES) {
                throw new LoadException("cannot read tokens from " + file + ": it has " + (Files.size(file) >> 20)
                        + " MiB but a token file has at most " + (MAX_BYTES >> 20) + " MiB");
            }
            List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
            for (int i = 0; i < lines.size(); i++) {
                String line = lines.get(i).strip();
                if (i == 0 && line.startsWith("\ufeff")) {
                    line = line.substring(1);
                }
                String[] columns = line.split(",", 3);
                String token = columns[0].strip();
                if (token.length() >= 2 && token.startsWith("\"") && token.endsWith("\"")) {
                    token = token.substring(1, token.length() - 1);
                }
                if (token.isEmpty()) {
                    continue;
                }
                if (token.chars().anyMatch(c -> c <= ' ' || c >= 0x7f)) {
                    throw new LoadException("line " + (i + 1) + " of " + file
                            + " is no token: a bearer token holds printable ASCII without blanks");
                }
                tokens.add(token);
                Optional<Instant> expiry = columns.length == 1 ? Optional.empty() : instant(columns[1].strip());
                if (expiry.isPresent()) {
                    expiries.merge(token, expiry.get(), TokenPool::earlier);
                }
            }
        } catch (MalformedInputException e) {
            throw new LoadException("cannot read tokens from " + file + ": it is no UTF-8 text", e);
        } catch (IOException e) {
            throw new LoadException("cannot read tokens from " + file + ": " + e, e);
        }
        if (tokens.isEmpty()) {
            throw new LoadException("the token file " + file + " holds no token");
        }
        return new TokenPool(tokens, expiries);
    }

    static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    private static Optional<Instant> instant(String text) {
        try {
            return Optional.of(Instant.parse(text));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /**
     * Writes the tokens as {@link #readCsv} reads them, readable by the owner alone where the file system can do that.
     *
     * @throws LoadException if the file cannot be written
     */
    public void writeCsv(Path file) {
        if (Files.isDirectory(file)) {
            throw new LoadException("cannot write tokens to " + file + ": it is a directory; name a file");
        }
        try {
            Files.deleteIfExists(file);
            if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        file,
                        java.nio.file.attribute.PosixFilePermissions.asFileAttribute(
                                java.nio.file.attribute.PosixFilePermissions.fromString("rw-------")));
            }
            Files.write(file, lines(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new LoadException("cannot write tokens to " + file + ": " + e, e);
        }
    }

    private List<String> lines() {
        return tokens.stream()
                .map(token -> expiries.containsKey(token) ? token + "," + expiries.get(token) : token)
                .toList();
    }

    /**
     * Returns the part of one of several load generators: parts are disjoint and together the whole.
     *
     * @throws LoadException if there are fewer tokens than load generators
     */
    public TokenPool slice(TokenSlice slice) {
        if (tokens.size() < slice.count()) {
            throw new LoadException("there are " + tokens.size() + " tokens for " + slice.count()
                    + " load generators; each needs at least one of its own");
        }
        int from = (int) ((long) tokens.size() * slice.index() / slice.count());
        int to = (int) ((long) tokens.size() * (slice.index() + 1) / slice.count());
        List<String> own = tokens.subList(from, to);
        Map<String, Instant> known = new HashMap<>(expiries);
        known.keySet().retainAll(new HashSet<>(own));
        return new TokenPool(own, known);
    }

    /** Returns the earliest expiry that is known. */
    public Optional<Instant> earliestExpiry() {
        return Stream.concat(
                        expiries.values().stream(),
                        tokens.stream().map(TokenPool::expiry).flatMap(Optional::stream))
                .min(Instant::compareTo);
    }

    /**
     * Refuses tokens that would expire while they are used.
     *
     * @param plannedEnd end of the last test, time reserve included
     * @throws LoadException if one expires before
     */
    public void checkValidUntil(Instant plannedEnd) {
        earliestExpiry().filter(expiry -> expiry.isBefore(plannedEnd)).ifPresent(expiry -> {
            throw new LoadException("a token expires at " + expiry + " but the tests are planned to end at "
                    + plannedEnd.truncatedTo(ChronoUnit.SECONDS) + "; make tokens that live longer");
        });
    }

    private static Optional<Instant> expiry(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return Optional.empty();
        }
        try {
            JsonNode expiry =
                    JSON.readTree(Base64.getUrlDecoder().decode(parts[1])).path("exp");
            return expiry.isNumber() ? Optional.of(Instant.ofEpochSecond(expiry.asLong())) : Optional.empty();
        } catch (IOException | IllegalArgumentException | DateTimeException e) {
            // Only who issued it knows what it says.
            return Optional.empty();
        }
    }

    /** Returns how many tokens there are, never a token. */
    @Override
    public String toString() {
        return "TokenPool[" + tokens.size() + " tokens]";
    }
}
