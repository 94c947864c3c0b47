/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.engine.token;

import static io.gatebench.load.engine.token.TokenPoolTest.CLOCK;
import static io.gatebench.load.engine.token.TokenPoolTest.RSA;
import static io.gatebench.load.engine.token.TokenPoolTest.SPEC;
import static io.gatebench.load.engine.token.TokenPoolTest.verifier;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import com.nimbusds.jwt.SignedJWT;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.token.SigningKey.Algorithm;

/** Keys as keytool and openssl write them. */
class SigningKeyFilesIT {

    @TempDir
    Path directory;

    @Test
    void readsKeysFromPemAndKeyStores() throws Exception {
        Path pem = directory.resolve("key.pem");
        Files.writeString(pem, RSA.privateKeyPem());
        assertThat(SigningKey.fromPem(pem, Algorithm.RS256).publicKeyPem()).isEqualTo(RSA.publicKeyPem());

        SigningKey ec = SigningKey.generate(Algorithm.ES256);
        Files.writeString(pem, ec.privateKeyPem() + ec.publicKeyPem());
        assertThat(SigningKey.fromPem(pem, Algorithm.ES256).jwksJson("k")).isEqualTo(ec.jwksJson("k"));
        assertThatThrownBy(() -> SigningKey.fromPem(pem, Algorithm.RS256)).isInstanceOf(LoadException.class);

        for (String type : List.of("PKCS12", "JKS")) {
            Path store = directory.resolve("keys." + type);
            Process keytool = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "keytool")
                                    .toString(),
                            "-J-XX:TieredStopAtLevel=1",
                            "-genkeypair",
                            "-alias",
                            "gateway",
                            "-keyalg",
                            "RSA",
                            "-keysize",
                            "2048",
                            "-storetype",
                            type,
                            "-keystore",
                            store.toString(),
                            "-storepass",
                            "wso2carbon",
                            "-keypass",
                            "wso2carbon",
                            "-dname",
                            "CN=localhost")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            assertThat(keytool.waitFor()).isZero();
            SigningKey stored = SigningKey.fromKeyStore(
                    store, "wso2carbon".toCharArray(), java.util.Optional.empty(), Algorithm.PS256);
            assertThat(SignedJWT.parse(TokenPool.generate(SPEC, stored, CLOCK)).verify(verifier(stored)))
                    .isTrue();
        }
    }

    @Test
    void readsTheOlderRsaFormThatOpensslWrites() throws Exception {
        Path openssl = Stream.of("/usr/bin/openssl", "/usr/local/bin/openssl")
                .map(Path::of)
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
        Assumptions.assumeTrue(openssl != null, "openssl is not there; install openssl");
        Path pkcs8 = directory.resolve("pkcs8.pem");
        Path pkcs1 = directory.resolve("pkcs1.pem");
        Files.writeString(pkcs8, RSA.privateKeyPem());
        Process convert = new ProcessBuilder(
                        String.valueOf(openssl),
                        "rsa",
                        "-traditional",
                        "-in",
                        pkcs8.toString(),
                        "-out",
                        pkcs1.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(convert.waitFor()).isZero();
        assertThat(Files.readString(pkcs1)).startsWith("-----BEGIN RSA PRIVATE KEY-----");
        assertThat(SigningKey.fromPem(pkcs1, Algorithm.RS256).publicKeyPem()).isEqualTo(RSA.publicKeyPem());
        SigningKey read = SigningKey.fromPem(pkcs1, Algorithm.PS256);
        assertThat(SignedJWT.parse(TokenPool.generate(SPEC, read, CLOCK)).verify(verifier(RSA)))
                .isTrue();
    }
}
