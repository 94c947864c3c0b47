/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class EchoCommandTest {

    private record Outcome(int exitCode, String out, String err) {}

    private static Outcome run(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = EchoServerMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .execute(args);
        return new Outcome(code, out.toString(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "--port=70000;port must be between 0 and 65535, but was 70000",
                "--delay=soon;'soon' is no delay",
                "--error-rate=1;'1' is no rate between 0 % and 100 %",
                "--error-rate=60% --reset-rate=50%;must not exceed 1 together",
                "--error-status=200;error status must be between 400 and 599, but was 200",
                "--transport=udp;'udp' is none of auto, io_uring, epoll, nio",
                "--tls-provider=gnutls;'gnutls' is none of auto, openssl, jdk",
                "--admin-port=maybe;admin port must be a number or none, but was 'maybe'",
                "--max-content-length=2GiB;max content length must be between 0 and 1073741824",
                "--idle-timeout=long;'long' is no time",
                "--key-store-file=x.p12;no port speaks TLS",
                "--dely=1;Unknown option: '--dely=1'",
            })
    void refusesWithOneLineAndExitCode2(String args, String message) {
        Outcome outcome = run(args.split(" "));
        assertThat(outcome.exitCode).isEqualTo(2);
        assertThat(outcome.err.lines().findFirst().orElseThrow()).contains(message);
        assertThat(outcome.out).isEmpty();
    }

    @Test
    void namesTheKeyStoreThatCannotBeRead(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("no.p12"), "no key store");
        Outcome outcome = run("--port=0", "--ssl", "--key-store-file=" + file, "--key-store-password=secret");
        assertThat(outcome.exitCode).isEqualTo(1);
        assertThat(outcome.err)
                .startsWith("echo-backend: cannot read key store " + file)
                .doesNotContain("secret");
    }

    @Test
    void helpListsEveryOptionAndExitsWith0() {
        Outcome outcome = run("--help");
        assertThat(outcome.exitCode).isZero();
        assertThat(outcome.out)
                .contains("--port", "--delay", "--ssl", "--http2", "--response-size", "--body-rate", "--error-rate")
                .contains("--error-status", "--seed", "--max-content-length", "--admin-port", "1% or 0.01");
    }

    @Test
    void printsOneLineWhenReadyAndStopsWhenInterrupted() throws Exception {
        StringWriter out = new StringWriter();
        Thread command = new Thread(() -> EchoServerMain.commandLine()
                .setOut(new PrintWriter(out, true))
                .execute("--host=127.0.0.1", "--port=0", "--tls-port=0", "--http2", "--threads=2", "--transport=nio"));
        command.start();
        long deadline = System.nanoTime() + 60_000_000_000L;
        while (!out.toString().contains("\n") && System.nanoTime() < deadline) {
            Thread.sleep(5);
        }
        Matcher line = Pattern.compile("echo-backend ready port=(\\d+) admin=\\d+ transport=nio threads=2 tls=false"
                        + " http2=true tls-port=\\d+ tls-provider=(openssl|jdk)\\R")
                .matcher(out.toString());
        assertThat(out.toString()).matches(line.pattern());
        assertThat(line.matches()).isTrue();
        try (RawClient client = new RawClient(Integer.parseInt(line.group(1)))) {
            client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx");
            assertThat(client.response().text()).isEqualTo("x");
        }
        command.interrupt();
        command.join(60_000);
        assertThat(command.isAlive()).isFalse();
    }
}
