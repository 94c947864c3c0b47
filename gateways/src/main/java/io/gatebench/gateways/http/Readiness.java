/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.http;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;

import io.gatebench.load.engine.http.TlsSockets;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.role.RoleStartException;

/** Waits until a gateway takes requests. */
final class Readiness {

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Duration TRY = Duration.ofSeconds(2);

    private final InstantSource clock;
    private final Host host;
    private final String directory;
    private final HttpGatewayConfig.Ready ready;
    private final Placeholders names;

    Readiness(InstantSource clock, Host host, String directory, HttpGatewayConfig.Ready ready, Placeholders names) {
        this.clock = clock;
        this.host = host;
        this.directory = directory;
        this.ready = ready;
        this.names = names;
    }

    /**
     * Waits for the end of a start command that returns.
     *
     * @throws RoleStartException if it fails or takes too long
     */
    void awaitEnd(HostProcess process) {
        if (hinders(() -> process.isAlive() ? "it has not returned" : "").isPresent()) {
            throw new RoleStartException("the start command of " + process.name() + " did not return within "
                    + ready.timeout().toSeconds() + " s; if it is the gateway itself, remove foreground: false");
        }
        int code = process.exitCode().orElse(-1);
        if (code != 0) {
            throw new RoleStartException(
                    "the start command of " + process.name() + " ended with exit code " + code + process.lastWords(15));
        }
    }

    /**
     * Waits until the gateway takes requests.
     *
     * @param process its process, if it is one that must not end
     * @throws RoleStartException if it ends or takes too long
     */
    void await(URI target, Optional<HostProcess> process) {
        Optional<String> late = hinders(() -> {
            if (process.isPresent() && !process.get().isAlive()) {
                throw new RoleStartException(process.get().name() + " ended before it was ready (exit code "
                        + process.get().exitCode().orElse(-1) + ")"
                        + process.get().whyEnded().map(why -> ": " + why).orElse("")
                        + process.get().lastWords(15));
            }
            return hindrance(target);
        });
        if (late.isPresent()) {
            throw new RoleStartException(
                    "the gateway was not ready within " + ready.timeout().toSeconds() + " s: " + late.get()
                            + process.map(p -> p.lastWords(15)).orElse(""));
        }
    }

    /** Waits until a text is empty; returns the last one if the time is over. */
    private Optional<String> hinders(Supplier<String> hindrance) {
        return Pause.until(
                ready.timeout(),
                POLL,
                clock,
                "while the gateway was starting",
                () -> Optional.of(hindrance.get()).filter(text -> !text.isEmpty()));
    }

    private String hindrance(URI target) {
        if (!ready.command().isEmpty()) {
            int code = host.run(ConfiguredProcess.in(directory, names.command(ready.command())), ready.timeout())
                    .exitCode();
            return code == 0 ? "" : "its ready command ended with exit code " + code;
        }
        if (ready.url().isPresent()) {
            String url = names.value(ready.url().get());
            return answer(url.startsWith("/") ? target.resolve(url) : URI.create(url));
        }
        return host.accepts(target) ? "" : "nothing takes connections at " + target.getAuthority();
    }

    private String answer(URI url) {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) host.reach(url).toURL().openConnection();
            if (connection instanceof HttpsURLConnection secure) {
                secure.setSSLSocketFactory(
                        TlsSockets.context(true, Optional.empty()).getSocketFactory());
                secure.setHostnameVerifier((name, session) -> true);
            }
            connection.setInstanceFollowRedirects(false);
            connection.setConnectTimeout((int) TRY.toMillis());
            connection.setReadTimeout((int) TRY.toMillis());
            try {
                int status = connection.getResponseCode();
                return status == ready.status()
                        ? ""
                        : url + " answered with the status " + status + " instead of " + ready.status();
            } finally {
                connection.disconnect();
            }
        } catch (IOException | GeneralSecurityException e) {
            return "no response from " + url + ": " + e.getMessage();
        }
    }
}
