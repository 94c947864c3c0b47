/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Clock;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.certificate.SelfSignedCertificate;

class ServerKeyIT {
    private static final TestTokens TOKENS = new TestTokens();

    @TempDir
    Path folder;

    @Test
    void servesTheKeyOfTheKeyStoreAndHttp2WhereAsked() throws Exception {
        SelfSignedCertificate made = ServerKey.selfSigned(Clock.systemUTC());
        Path keystore = keystore(made, "changeit");
        Path password = Files.writeString(folder.resolve("password"), "changeit\n");
        try (RecordingBackend backend = new RecordingBackend();
                RunningGateway gateway = new RunningGateway(
                        "--gateway.backend=" + backend.url(),
                        "--gateway.http2=true",
                        "--gateway.jwt-accept-padding=true",
                        "--gateway.jwt-cache-seconds=60",
                        "--gateway.jwt-public-key=" + TOKENS.publicKey(folder),
                        "--gateway.keystore=" + keystore,
                        "--gateway.keystore-password-file=" + password)) {
            // A client that trusts this certificate only, and checks the host name.
            HttpClient client = HttpClient.newBuilder()
                    .sslContext(trusting(made.certificate()))
                    .version(HttpClient.Version.HTTP_2)
                    .build();
            for (String host : new String[] {"localhost", "127.0.0.1"}) {
                HttpRequest request = HttpRequest.newBuilder(
                                URI.create("https://" + host + ":" + gateway.httpsPort() + "/echo/1.0.0"))
                        .header("Authorization", "Bearer " + TOKENS.padded())
                        .POST(HttpRequest.BodyPublishers.ofString("{}"))
                        .build();
                HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
                assertThat(response.statusCode()).isEqualTo(200);
                assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            }
        }
    }

    @Test
    void explainsAKeyStoreThatCannotBeUsed() throws Exception {
        Path keystore = keystore(ServerKey.selfSigned(Clock.systemUTC()), "changeit");
        Path wrong = Files.writeString(folder.resolve("wrong"), "other");

        assertThatThrownBy(() ->
                        ServerKey.bundle(Optional.of(new GatewaySettings.Keystore(keystore, wrong)), Clock.systemUTC()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("cannot be opened")
                .hasMessageNotContaining("other");
        assertThatThrownBy(() ->
                        ServerKey.bundle(Optional.of(new GatewaySettings.Keystore(wrong, wrong)), Clock.systemUTC()))
                .isInstanceOf(UsageException.class);
    }

    private Path keystore(SelfSignedCertificate made, String password) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", made.key(), password.toCharArray(), new Certificate[] {made.certificate()});
        Path file = folder.resolve("server.p12");
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }

    private static SSLContext trusting(Certificate certificate) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry("gateway", certificate);
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
