/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.stream.Stream;

import io.gatebench.model.MeasurementWindow;

/** What a flight recording and the memory beans of the same process say about a log. */
final class Truth {

    private final String name;
    private final Properties values = new Properties();

    private Truth(Path file) {
        String fileName = file.getFileName().toString();
        this.name = fileName.substring(0, fileName.length() - ".properties".length());
        try (InputStream in = Files.newInputStream(file)) {
            values.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Truth> all() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files
                    .filter(file -> file.toString().endsWith(".properties"))
                    .sorted()
                    .map(Truth::new)
                    .toList()
                    .stream();
        }
    }

    static Path directory() {
        URL url = Objects.requireNonNull(Truth.class.getResource("/gc-logs"));
        try {
            return Path.of(url.toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    static Path log(String name) {
        Path packed = directory().resolve(name + ".log.gz");
        return Files.exists(packed) ? packed : directory().resolve(name + ".log");
    }

    Path log() {
        return log(name);
    }

    String text(String key) {
        return Objects.requireNonNull(values.getProperty(key), key);
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    double number(String key) {
        return Double.parseDouble(text(key));
    }

    List<Double> afterFull() {
        String text = text("afterFullGcBytes");
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",")).map(Double::valueOf).toList();
    }

    Instant started() {
        return Instant.ofEpochMilli(Long.parseLong(text("startEpochMillis")));
    }

    MeasurementWindow window() {
        return new MeasurementWindow(
                Instant.ofEpochMilli(Long.parseLong(text("windowFromEpochMillis"))),
                Instant.ofEpochMilli(Long.parseLong(text("windowToEpochMillis"))));
    }

    @Override
    public String toString() {
        return name;
    }
}
