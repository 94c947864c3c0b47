/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;

/** The routes of each profile. */
@Configuration(proxyBeanMethods = false)
class Routes {
    static final String HEADER_ROUTING_PATH = "/cbr";

    @Bean
    RouteLocator routeLocator(RouteLocatorBuilder builder, GatewaySettings settings) {
        String backend = settings.backend().url().toString();
        RouteLocatorBuilder.Builder routes = builder.routes();
        routes.route(
                "echo",
                route -> route.path("/echo/1.0.0", "/echo/1.0.0/**")
                        .filters(filters -> filters.removeRequestHeader(HttpHeaders.AUTHORIZATION)
                                .stripPrefix(2))
                        .uri(backend));
        return routes.build();
    }
}
