/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.ConfigurationPropertiesAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.http.codec.autoconfigure.CodecsAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.cloud.gateway.config.GatewayAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/**
 * The Spring application: only the auto-configurations that a gateway needs, named one by one, because looking for all of
 * them takes a good part of the start.
 */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({
    CodecsAutoConfiguration.class,
    ConfigurationPropertiesAutoConfiguration.class,
    GatewayAutoConfiguration.class,
    HttpHandlerAutoConfiguration.class,
    LifecycleAutoConfiguration.class,
    NettyReactiveWebServerAutoConfiguration.class,
    SslAutoConfiguration.class,
    WebFluxAutoConfiguration.class
})
@Import({ErrorAnswers.class, PlainPort.class, Routes.class, SecurityConfiguration.class})
class GatewayApplication {
    private static final String SSL_BUNDLE = "gateway";
    /** Bytes that the mediation and the GraphQL check keep of one body at most; 1 MiB of payload and what surrounds it. */
    static final int MAX_BODY_BYTES = 2 * 1024 * 1024;

    /**
     * Starts the gateway and returns when it listens.
     *
     * @param springArguments arguments that are not ours, for Spring
     * @throws UsageException if a key of the settings cannot be read
     */
    static ConfigurableApplicationContext start(GatewaySettings settings, List<String> springArguments, Clock clock) {
        SslBundle key = ServerKey.bundle(settings.listener().keystore(), clock);
        TokenChecks checks = TokenChecks.create(settings, clock);
        SpringApplication application = new SpringApplication(GatewayApplication.class);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        application.setBannerMode(Banner.Mode.OFF);
        application.setLogStartupInfo(false);
        application.setDefaultProperties(properties(settings));
        application.addInitializers(context -> {
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(GatewaySettings.class, () -> settings);
            beans.registerBean(TokenChecks.class, () -> checks);
            beans.registerBean(SslBundleRegistrar.class, () -> registry -> registry.registerBundle(SSL_BUNDLE, key));
        });
        return application.run(springArguments.toArray(String[]::new));
    }

    private static Map<String, Object> properties(GatewaySettings settings) {
        GatewaySettings.Listener listener = settings.listener();
        Map<String, Object> properties = new HashMap<>();
        properties.put("server.address", listener.bind());
        properties.put("server.port", listener.httpsPort());
        properties.put("server.ssl.bundle", SSL_BUNDLE);
        properties.put("server.http2.enabled", listener.http2());
        properties.put("server.shutdown", "graceful");
        properties.put("spring.lifecycle.timeout-per-shutdown-phase", "15s");
        // Requests under way are answered before the event loops stop, so that these need not wait their two seconds.
        properties.put("spring.reactor.netty.shutdown-quiet-period", "200ms");
        properties.put("spring.main.log-startup-info", false);
        properties.put("spring.cloud.refresh.enabled", false);
        String client = "spring.cloud.gateway.server.webflux.httpclient.";
        properties.put(client + "connect-timeout", 5_000);
        properties.put(client + "response-timeout", settings.backend().timeout().toSeconds() + "s");
        // As many connections as there are requests under way: the pool is never what limits a measurement.
        properties.put(client + "pool.type", "elastic");
        properties.put(client + "pool.max-idle-time", "60s");
        return properties;
    }
}
