/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.UnrecoverableKeyException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLException;

import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;

import io.gatebench.certificate.SelfSignedCertificate;

/**
 * Settings that the TLS listeners share.
 *
 * @param context for every connection
 * @param provider {@code openssl} or {@code jdk}
 * @param certificate what clients have to trust
 */
record TlsSettings(SslContext context, String provider, X509Certificate certificate) {

    static TlsSettings of(EchoServerConfig config, Instant now) {
        boolean openSsl = useOpenSsl(config.tlsProvider());
        try {
            SslContextBuilder builder;
            X509Certificate certificate;
            if (config.keyStore().isPresent()) {
                KeyStore store = load(config.keyStore().get(), config.keyStorePassword());
                certificate = certificateOf(store, config.keyStore().get());
                builder = SslContextBuilder.forServer(keyManagers(store, config));
            } else {
                SelfSignedCertificate own = ownCertificate(now);
                certificate = own.certificate();
                builder = SslContextBuilder.forServer(own.key(), certificate);
            }
            builder.sslProvider(openSsl ? SslProvider.OPENSSL : SslProvider.JDK);
            if (config.http2()) {
                builder.ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                        .applicationProtocolConfig(new ApplicationProtocolConfig(
                                ApplicationProtocolConfig.Protocol.ALPN,
                                ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                                ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                                ApplicationProtocolNames.HTTP_2,
                                ApplicationProtocolNames.HTTP_1_1));
            }
            return new TlsSettings(builder.build(), openSsl ? "openssl" : "jdk", certificate);
        } catch (SSLException e) {
            throw new EchoException("cannot set TLS up: " + e.getMessage(), e);
        }
    }

    /** For this machine's name, too: other machines reach the back end by it. */
    private static SelfSignedCertificate ownCertificate(Instant now) {
        Set<String> names = new LinkedHashSet<>();
        List<InetAddress> addresses = new ArrayList<>(SelfSignedCertificate.loopback());
        try {
            InetAddress local = InetAddress.getLocalHost();
            if (local.getHostName().matches("[A-Za-z0-9.-]+")) {
                names.add(local.getHostName());
            }
            addresses.add(local);
        } catch (UnknownHostException e) {
            // A machine that does not know its own name is reached by localhost or not by name at all.
            names.clear();
        }
        try {
            return SelfSignedCertificate.create(
                    SelfSignedCertificate.Kind.EC, names, addresses, now, Duration.ofDays(3650));
        } catch (GeneralSecurityException e) {
            throw new EchoException(
                    "this JDK cannot make a self-signed certificate (" + e.getMessage()
                            + "); give a PKCS12 key store with --key-store-file",
                    e);
        }
    }

    private static boolean useOpenSsl(TlsProvider wanted) {
        if (wanted == TlsProvider.OPENSSL && !OpenSsl.isAvailable()) {
            throw new EchoException(
                    "TLS provider openssl is not available here (" + OpenSsl.unavailabilityCause()
                            + "); leave --tls-provider at auto",
                    OpenSsl.unavailabilityCause());
        }
        return wanted != TlsProvider.JDK && OpenSsl.isAvailable();
    }

    private static KeyStore load(Path file, String password) {
        try (InputStream in = Files.newInputStream(file)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(in, password.toCharArray());
            return store;
        } catch (IOException | GeneralSecurityException e) {
            throw new EchoException(
                    "cannot read key store " + file + ": "
                            + (e.getCause() instanceof UnrecoverableKeyException ? "the password is wrong" : e)
                            + "; it must be a PKCS12 file whose password opens the store and its key",
                    e);
        }
    }

    private static X509Certificate certificateOf(KeyStore store, Path file) {
        try {
            for (String alias : Collections.list(store.aliases())) {
                if (store.isKeyEntry(alias) && store.getCertificate(alias) instanceof X509Certificate certificate) {
                    return certificate;
                }
            }
        } catch (GeneralSecurityException e) {
            throw new EchoException("cannot read key store " + file + ": " + e.getMessage(), e);
        }
        throw new EchoException("key store " + file + " holds no key with a certificate; add one with keytool");
    }

    private static KeyManagerFactory keyManagers(KeyStore store, EchoServerConfig config) {
        try {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, config.keyStorePassword().toCharArray());
            return factory;
        } catch (GeneralSecurityException e) {
            throw new EchoException(
                    "cannot use the key in key store " + config.keyStore().orElseThrow() + ": " + e.getMessage()
                            + "; store and key must have the same password",
                    e);
        }
    }
}
