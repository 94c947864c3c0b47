/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class GatewayCommandTest {
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--http-port=70000|--http-port must be 0 to 65535 but was 70000",
                "--https-port=-1|--https-port must be 0 to 65535 but was -1",
                "--http-port=abc|'abc' is not an int",
                "--backend=ftp://x/|--backend must be an absolute http or https URL but was 'ftp://x/'",
                "--backend=nonsense|--backend must be an absolute http or https URL but was 'nonsense'",
                "--backend=http://a b/|--backend must be an absolute http or https URL but was 'http://a b/'",
                "--bind=no.such.host.invalid|--bind must be an address of this machine but was 'no.such.host.invalid'",
                "--config=/no/such/folder|--config must be a folder but was '/no/such/folder'",
                "--keystore=/no/such.p12|--keystore and --keystore-password-file must be given together",
                "--no-such-option|Unknown option: '--no-such-option'",
                "stray|Unmatched argument at index 0: 'stray'"
            })
    void aWrongOptionIsOneLineAndExitCode2(String option, String message) {
        assertThat(run(option)).isEqualTo(2);
        assertThat(errors.toString())
                .startsWith("synapse-gateway: ")
                .contains(message)
                .hasLineCount(1);
        assertThat(output.toString()).isEmpty();
    }

    @Test
    void portsMustDiffer() {
        assertThat(run("--http-port=9001", "--https-port=9001")).isEqualTo(2);
        assertThat(errors.toString()).contains("--http-port and --https-port are both 9001; they must differ");
    }

    @Test
    void aKeyStoreThatIsNoneIsRefusedBeforeAnythingIsStarted(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("not-a-key-store"), "text");
        int exitCode = run(
                "--http-port=0",
                "--https-port=0",
                "--keystore=" + file,
                "--keystore-password-file=" + file,
                "--work-dir=" + directory.resolve("work"));

        assertThat(exitCode).isEqualTo(1);
        assertThat(errors.toString()).contains("cannot read key store " + file).hasLineCount(1);
    }

    @Test
    void aPortInUseIsOneLineAndExitCode1() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            assertThat(run("--https-port=" + taken.getLocalPort(), "--http-port=0"))
                    .isEqualTo(1);
            assertThat(errors.toString())
                    .contains("cannot listen on 127.0.0.1 port " + taken.getLocalPort())
                    .contains("give another --https-port")
                    .hasLineCount(1);
        }
    }

    @Test
    void helpListsTheOptionsAndExitCodes() {
        assertThat(run("--help")).isZero();
        assertThat(output.toString())
                .contains("--http-port", "--https-port", "--bind", "--backend", "--work-dir", "--config", "--keystore")
                .contains("Exit codes");
        assertThat(errors.toString()).isEmpty();
    }

    private int run(String... options) {
        CommandLine commandLine = GatewayCommand.commandLine();
        commandLine.setOut(new PrintWriter(output, true));
        commandLine.setErr(new PrintWriter(errors, true));
        return commandLine.execute(options);
    }
}
