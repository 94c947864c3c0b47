/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The packaged gateway in a JVM of its own. */
final class GatewayProcess implements AutoCloseable {
    private static final Path JAR = Path.of("target", "synapse-gateway.jar").toAbsolutePath();
    private static final Pattern READY =
            Pattern.compile("synapse-gateway ready http=(\\d+) https=(\\d+) startup=\\d+\\.\\ds");

    private final Process process;
    private final Path errors;
    private final int httpPort;
    private final int httpsPort;

    private GatewayProcess(Process process, Path errors, int httpPort, int httpsPort) {
        this.process = process;
        this.errors = errors;
        this.httpPort = httpPort;
        this.httpsPort = httpsPort;
    }

    /** Starts the gateway on free ports and returns when it says that it is ready. */
    static GatewayProcess start(Path directory, List<String> jvmOptions, String... options) throws IOException {
        return start(javaOf(Path.of(System.getProperty("java.home"))), directory, jvmOptions, options);
    }

    static GatewayProcess start(Path java, Path directory, List<String> jvmOptions, String... options)
            throws IOException {
        List<String> all = new ArrayList<>(List.of(options));
        if (!all.contains("--http-port")) {
            all.addAll(List.of("--http-port", "0", "--https-port", "0"));
        }
        Path errors = directory.resolve("gateway.err");
        Process process =
                launch(java, jvmOptions, all).redirectError(errors.toFile()).start();
        String line = new BufferedReader(process.inputReader(StandardCharsets.UTF_8)).readLine();
        Matcher ready = READY.matcher(String.valueOf(line));
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new AssertionError("no ready line but: " + line + "\n" + Files.readString(errors));
        }
        return new GatewayProcess(process, errors, Integer.parseInt(ready.group(1)), Integer.parseInt(ready.group(2)));
    }

    /** Returns what would start the gateway with exactly these options. */
    static ProcessBuilder launch(Path java, List<String> jvmOptions, List<String> options) {
        assertThat(JAR).as("the packaged jar; run the package phase first").exists();
        List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", JAR.toString()));
        command.addAll(options);
        return new ProcessBuilder(command);
    }

    static Path javaOf(Path javaHome) {
        return javaHome.resolve("bin").resolve("java");
    }

    URI http(String path) {
        return URI.create("http://127.0.0.1:" + httpPort + path);
    }

    URI https(String path) {
        return URI.create("https://localhost:" + httpsPort + path);
    }

    /** Returns the HTTP and the HTTPS port. */
    int[] ports() {
        return new int[] {httpPort, httpsPort};
    }

    String errors() throws IOException {
        return Files.readString(errors);
    }

    /** Sends SIGTERM and returns the exit code, or fails if the process has not ended within {@code limit}. */
    int stop(Duration limit) throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS))
                .as("ended within " + limit)
                .isTrue();
        return process.exitValue();
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
