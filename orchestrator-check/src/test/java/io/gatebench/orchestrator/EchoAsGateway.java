/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The back end's program in the place of a gateway: a JVM that starts in a moment, for tests of what the program does with one. */
final class EchoAsGateway {

    static final String JAR = "echo-backend.jar";

    private EchoAsGateway() {}

    /** Describes it in the file {@code gateway.yaml} of the directory, with a wait before each of its answers. */
    static void describe(Path directory, String delay) throws IOException {
        Files.writeString(directory.resolve("gateway.yaml"), """
                name: Echo
                url: http://{gateway-address}:{gateway-port}
                start:
                  - "{java}"
                  - -Xmx{heap}
                  - "{gc-options}"
                  - -jar
                  - %s
                  - --host={gateway-address}
                  - --port={gateway-port}
                  - --delay=%s
                gc-log: gc.log
                uses-backend: false
                scenarios:
                  - name: echo
                    url: /
                    check: {same-length: true}
                """.formatted(
                        Path.of("../echo-backend/target", JAR).toAbsolutePath().normalize(), delay));
    }

    /** Describes it, at a pace that leaves the processors to others, and returns options with a heap of 64M and 1000 bytes. */
    static String[] options(Path directory, String... further) throws IOException {
        describe(directory, "5ms");
        return Stream.concat(
                        Stream.of(
                                "--product=http", "--gateway-config=gateway.yaml", "--heap=64M", "--message-size=1000"),
                        List.of(further).stream())
                .toArray(String[]::new);
    }
}
