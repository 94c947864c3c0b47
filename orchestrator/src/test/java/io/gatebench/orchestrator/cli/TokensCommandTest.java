/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TokensCommandTest {

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLineProgram program = new CommandLineProgram();
        program.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return program.execute(arguments);
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String path(String name) {
        return directory.resolve(name).toString();
    }

    @Test
    void refusesOneFileForTwoOutputs() {
        int code = run("tokens", "--out=" + path("one"), "--public-key-out=" + path("./one"), "--audience=shop");

        assertThat(code).isEqualTo(2);
        assertThat(err.toString()).contains("--out and --public-key-out name the same file");
        assertThat(directory.resolve("one")).doesNotExist();
    }

    @Test
    void writesSignedTokensAndTheKeyThatVerifiesThem() throws Exception {
        int code = run(
                "tokens",
                "--count=20",
                "--out=" + path("tokens.csv"),
                "--public-key-out=" + path("public.pem"),
                "--jwks-out=" + path("jwks.json"),
                "--audience=shop",
                "--claim=tier=7",
                "--claim=iss=https://issuer.example",
                "--lifetime=2h");

        assertThat(code).as(err::toString).isZero();
        assertThat(out.toString()).startsWith("20 tokens in ").contains("valid until ");
        List<String> tokens = Files.readAllLines(directory.resolve("tokens.csv"));
        assertThat(tokens).hasSize(20).doesNotHaveDuplicates();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve("tokens.csv"))))
                .isEqualTo("rw-------");
        String pem = Files.readString(directory.resolve("public.pem")).replaceAll("-----[A-Z ]+-----", "");
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initVerify(KeyFactory.getInstance("RSA")
                .generatePublic(new X509EncodedKeySpec(Base64.getMimeDecoder().decode(pem))));
        String[] parts = tokens.get(0).split("\\.");
        signature.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
        assertThat(signature.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        JsonNode claims = new ObjectMapper().readTree(Base64.getUrlDecoder().decode(parts[1]));
        assertThat(claims.path("aud").asText()).isEqualTo("shop");
        assertThat(claims.path("tier").isNumber()).isTrue();
        assertThat(claims.path("iss").asText()).isEqualTo("https://issuer.example");
        assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(7200);
        assertThat(new ObjectMapper()
                        .readTree(directory.resolve("jwks.json").toFile())
                        .path("keys"))
                .hasSize(1);
    }

    @Test
    void writesOpaqueTokensAndPaddedOnesOfTheOlderForm() throws Exception {
        assertThat(run("tokens", "--kind=opaque", "--count=3", "--out=" + path("o.csv")))
                .isZero();
        assertThat(Files.readAllLines(directory.resolve("o.csv")))
                .hasSize(3)
                .allMatch(token -> token.matches("[a-z0-9]{36}"));
        assertThat(run(
                        "tokens",
                        "--compat=wso2",
                        "--algorithm=HS256",
                        "--key=" + file("secret", "0123456789abcdef0123456789abcdef"),
                        "--count=1",
                        "--out=" + path("p.csv")))
                .as(err::toString)
                .isZero();
        assertThat(Files.readString(directory.resolve("p.csv")).trim()).endsWith("=");
    }

    @Test
    void fetchesTokensFromAnEndpointAndShowsNoSecret() throws Exception {
        AtomicInteger issued = new AtomicInteger();
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
        server.createContext("/token", exchange -> {
            String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            String body = form.contains("password=jane-secret")
                    ? "{\"access_token\":\"t" + issued.incrementAndGet()
                            + "\",\"token_type\":\"Bearer\",\"expires_in\":60}"
                    : "{\"error\":\"invalid_grant\"}";
            exchange.sendResponseHeaders(form.contains("jane-secret") ? 200 : 400, body.length());
            exchange.getResponseBody().write(body.getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        server.start();
        try {
            String[] arguments = {
                "tokens",
                "--kind=endpoint",
                "--endpoint=http://127.0.0.1:" + server.getAddress().getPort() + "/token",
                "--client-id=app",
                "--client-secret-file=" + file("client", "app-secret\n"),
                "--grant=password",
                "--username=jane",
                "--password-file=" + file("password", "jane-secret\n"),
                "--count=5",
                "--out=" + path("e.csv")
            };
            assertThat(run(arguments)).as(err::toString).isZero();
            // The endpoint alone knows that they expire in 60 s: the file keeps it behind the token.
            assertThat(Files.readAllLines(directory.resolve("e.csv")))
                    .allMatch(line -> line.matches("t[1-5],20\\d\\d-.*Z"))
                    .extracting(line -> line.substring(0, 2))
                    .containsExactlyInAnyOrder("t1", "t2", "t3", "t4", "t5");
            file("password", "wrong-secret\n");
            Files.delete(directory.resolve("e.csv"));
            assertThat(run(arguments)).isEqualTo(2);
            assertThat(err.toString()).contains("invalid_grant").doesNotContain("-secret");
            assertThat(directory.resolve("e.csv")).doesNotExist();
        } finally {
            server.stop(0);
        }
    }

    @Test
    void saysWhatIsMissing() throws Exception {
        assertThat(run("tokens", "--count=1", "--out=" + path("t"))).isEqualTo(2);
        assertThat(err.toString()).contains("give --public-key-out or --jwks-out");
        assertThat(run("tokens", "--kind=endpoint", "--out=" + path("t"))).isEqualTo(2);
        assertThat(err.toString()).contains("--kind endpoint needs --endpoint");
        assertThat(run("tokens", "--kind=opaque", "--count=0", "--out=" + path("t")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("--count must be at least 1 but was 0");
        assertThat(run("tokens", "--key=" + file("bad.pem", "no key"), "--out=" + path("t")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("holds no private key in PEM form");
        assertThat(run("tokens", "--key=" + path("none.pem"), "--out=" + path("t")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("none.pem: there is no such file");
        assertThat(directory.resolve("t")).doesNotExist();
    }

    @Test
    void leavesADirectoryAlone() throws Exception {
        Path there = Files.createDirectory(directory.resolve("there"));

        assertThat(run("tokens", "--kind=opaque", "--count=1", "--out=" + there))
                .isEqualTo(2);
        assertThat(err.toString()).contains("cannot write tokens to " + there + ": it is a directory; name a file");
        assertThat(there).isDirectory();
    }
}
