/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.gatebench.settings.FileProblem;

/**
 * Turns a file of requests into a gateway file of the product {@code http}.
 *
 * <p>Nothing is sent, no reference to a host is followed, and none to a file but the data of a plan that lie beside or below it. What has no place in a gateway file is left out and
 * said. Stateless.
 */
public final class Importer {

    private static final long MAX_BYTES = 64L << 20;

    private Importer() {}

    /** Kind of a file. */
    public enum Kind {
        /** OpenAPI 3 or Swagger 2, as YAML or JSON. */
        OPENAPI,
        /** Recording of a browser or proxy. */
        HAR,
        /** A test plan of JMeter. */
        JMX
    }

    /**
     * Result of an import.
     *
     * @param file the gateway file
     * @param scenarios how many scenarios it has
     * @param leftOut a sentence for each thing of the source that it does not hold
     */
    public record Imported(Path file, int scenarios, List<String> leftOut) {}

    /**
     * Writes {@code gateway.yaml} and the bodies of its requests into a directory.
     *
     * @throws ImportException if the file is not of that kind, or holds no request
     * @throws IOException if a file cannot be written
     */
    public static Imported run(Kind kind, Path source, Path directory) throws IOException {
        byte[] bytes;
        try {
            if (Files.size(source) > MAX_BYTES) {
                throw new ImportException(source + ": is larger than 64 MiB; import a part of it", null);
            }
            bytes = Files.readAllBytes(source);
        } catch (IOException e) {
            throw new ImportException(source + ": cannot be read: " + FileProblem.of(e), e);
        }
        Requests requests;
        try {
            requests = switch (kind) {
                case OPENAPI -> OpenApi.read(source);
                case HAR -> Har.read(bytes);
                case JMX -> Jmx.read(bytes, source.toAbsolutePath().normalize().getParent());
            };
        } catch (IllegalArgumentException e) {
            throw new ImportException(source + ": " + e.getMessage(), e);
        }
        if (requests.all().isEmpty()) {
            throw new ImportException(
                    source + ": holds no request that can be sent"
                            + (requests.leftOut().isEmpty()
                                    ? ""
                                    : "; left out: " + String.join("; ", requests.leftOut())),
                    null);
        }
        return GatewayFileWriter.write(requests, String.valueOf(source.getFileName()), directory);
    }
}
