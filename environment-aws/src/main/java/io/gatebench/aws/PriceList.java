/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.cloud.CloudException;

/**
 * Prices in US dollars per hour by region, kind and name; disks are per GiB and month.
 *
 * <p>The file has lines {@code region,kind,name,usd}; a region {@code *} holds where no other does.
 */
final class PriceList {

    /** Prices of the jar; the name says when they were written down. */
    static final String BUILT_IN = "prices-2026-11-21.csv";

    private static final double HOURS_OF_A_MONTH = 730;

    private final Map<String, Double> prices = new HashMap<>();
    private final String source;

    private PriceList(String source) {
        this.source = source;
    }

    /**
     * Reads the built-in prices and puts those of a file before them.
     *
     * @throws CloudException with file and line of what is no price
     */
    static PriceList read(Optional<Path> file) {
        PriceList list = new PriceList(file.map(f -> f.getFileName() + " and ").orElse("") + BUILT_IN);
        try (InputStream in = PriceList.class.getResourceAsStream(BUILT_IN)) {
            list.add(BUILT_IN, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            if (file.isPresent()) {
                list.add(file.get().toString(), Files.readString(file.get()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the price list cannot be read", e);
        }
        return list;
    }

    private void add(String name, String text) {
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] parts = line.split(",", -1);
            if (parts.length != 4 || !parts[3].trim().matches("[0-9]{1,6}(\\.[0-9]{1,8})?")) {
                throw CloudException.usage(List.of(name + ":" + number
                        + ": a price is region,kind,name,usd, e.g. eu-west-1,instance,c5.xlarge,0.192, but was '"
                        + line + "'"));
            }
            prices.put(key(parts[0].trim(), parts[1].trim(), parts[2].trim()), Double.parseDouble(parts[3].trim()));
        }
    }

    private static String key(String region, String kind, String name) {
        return region + "," + kind + "," + name;
    }

    /** Returns how old the built-in prices are. */
    static long ageInDays(Instant now) {
        LocalDate written = LocalDate.parse(BUILT_IN.replaceAll("\\D*(\\d{4}-\\d\\d-\\d\\d)\\.csv", "$1"));
        return Math.max(
                0, ChronoUnit.DAYS.between(written, now.atOffset(ZoneOffset.UTC).toLocalDate()));
    }

    /** Returns where the prices are from. */
    String source() {
        return source;
    }

    /** Returns the price of an hour, absent if it is not known. */
    Optional<Double> perHour(String region, String kind, String name) {
        return Optional.ofNullable(prices.get(key(region, kind, name)))
                .or(() -> Optional.ofNullable(prices.get(key("*", kind, name))));
    }

    /** Returns the price of an hour of a disk, absent if it is not known. */
    Optional<Double> diskPerHour(String region, String name, int gib) {
        return perHour(region, "disk", name).map(month -> month * gib / HOURS_OF_A_MONTH);
    }
}
