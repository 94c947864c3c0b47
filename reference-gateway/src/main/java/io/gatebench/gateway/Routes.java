/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import org.springframework.cloud.gateway.filter.GatewayFilter;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.GatewayFilterSpec;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
import org.springframework.cloud.gateway.route.builder.UriSpec;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** The routes of each profile. */
@Configuration(proxyBeanMethods = false)
class Routes {
    static final String HEADER_ROUTING_PATH = "/cbr";

    /** Path at which API Manager says without a token that it serves. */
    static final String VERSION_PATH = "/services/Version";

    private static final String ROUTING_HEADER = "routing";
    private static final String ROUTING_VALUE = "xadmin;server1;community#1.0##";
    /** Address to which the routes that answer themselves lead; the gateway wants one for each. */
    private static final String NOWHERE = "no://op";

    private final PayloadMediation mediation = new PayloadMediation();

    @Bean
    RouteLocator routeLocator(RouteLocatorBuilder builder, GatewaySettings settings) {
        String backend = settings.backend().url().toString();
        RouteLocatorBuilder.Builder routes = builder.routes()
                .route(
                        "echo",
                        route -> route.path("/echo/1.0.0", "/echo/1.0.0/**")
                                .filters(filters -> withoutToken(filters).stripPrefix(2))
                                .uri(backend))
                .route(
                        "header-routing",
                        route -> route.path(HEADER_ROUTING_PATH)
                                .and()
                                .header(ROUTING_HEADER, Pattern.quote(ROUTING_VALUE))
                                .filters(filters -> filters.stripPrefix(1))
                                .uri(backend))
                .route(
                        "header-routing-refusal",
                        route -> route.path(HEADER_ROUTING_PATH)
                                .filters(filters ->
                                        filters.filter(answer(HttpStatus.FORBIDDEN, "Invalid routing header")))
                                .uri(NOWHERE));
        if (settings.profile() == GatewayProfile.APIM) {
            routes.route(
                            "version",
                            route -> route.path(VERSION_PATH)
                                    .filters(filters -> filters.filter(Routes::ready))
                                    .uri(NOWHERE))
                    .route(
                            "mediation",
                            route -> route.path("/mediation/1.0.0", "/mediation/1.0.0/**")
                                    .filters(this::mediation)
                                    .uri(backend))
                    .route(
                            "starwars",
                            route -> route.path("/starwars/1.0.0")
                                    .and()
                                    .method(HttpMethod.POST)
                                    .filters(filters -> graphQl(filters, GraphQlCheck.starWars()))
                                    .uri(backend))
                    .route(
                            "starwars-method",
                            route -> route.path("/starwars/1.0.0")
                                    .filters(filters -> filters.filter(Routes::postOnly))
                                    .uri(NOWHERE));
        }
        return routes.build();
    }

    /** The token is the gateway's business: a back end that sees it could use it. */
    private static GatewayFilterSpec withoutToken(GatewayFilterSpec filters) {
        return filters.removeRequestHeader(HttpHeaders.AUTHORIZATION);
    }

    private UriSpec mediation(GatewayFilterSpec filters) {
        return withoutToken(filters)
                // The answer is rewritten here, so it must come in plain.
                .removeRequestHeader(HttpHeaders.ACCEPT_ENCODING)
                .stripPrefix(2)
                .filter(BodyFilters.request(GatewayApplication.MAX_BODY_BYTES, this::checkRequest))
                .filter(BodyFilters.response(GatewayApplication.MAX_BODY_BYTES, this::mediate));
    }

    private byte[] checkRequest(ServerWebExchange exchange, byte[] body) {
        if (body.length == 0) {
            return body;
        }
        try {
            mediation.check(body);
            return body;
        } catch (JacksonException e) {
            throw new AnswerException(JsonAnswer.problem(
                    HttpStatus.BAD_REQUEST, "the request body is no valid JSON: " + e.getOriginalMessage()));
        }
    }

    /** Only answers of success have the two members; an error of the back end reaches the client as it is. */
    private byte[] mediate(ServerWebExchange exchange, byte[] body) {
        HttpStatusCode status = exchange.getResponse().getStatusCode();
        boolean withoutBody = HttpStatus.NO_CONTENT.equals(status)
                || HttpMethod.HEAD.equals(exchange.getRequest().getMethod());
        if (withoutBody || (status != null && !status.is2xxSuccessful())) {
            return body;
        }
        try {
            return mediation.apply(body);
        } catch (JacksonException e) {
            throw new AnswerException(JsonAnswer.problem(
                    HttpStatus.BAD_GATEWAY, "the back end's response is no valid JSON: " + e.getOriginalMessage()));
        }
    }

    private static UriSpec graphQl(GatewayFilterSpec filters, GraphQlCheck check) {
        return withoutToken(filters)
                .setPath("/graphql")
                .filter(BodyFilters.request(GatewayApplication.MAX_BODY_BYTES, (exchange, body) -> {
                    Optional<JsonAnswer> refusal = check.refusal(
                            body, exchange.getRequest().getHeaders().getAccept());
                    refusal.ifPresent(answer -> {
                        throw new AnswerException(answer);
                    });
                    return body;
                }));
    }

    private static Mono<Void> postOnly(ServerWebExchange exchange, GatewayFilterChain chain) {
        exchange.getResponse().getHeaders().setAllow(Set.of(HttpMethod.POST));
        return JsonAnswer.problem(HttpStatus.METHOD_NOT_ALLOWED, "GraphQL requests are sent by POST")
                .writeTo(exchange);
    }

    private static Mono<Void> ready(ServerWebExchange exchange, GatewayFilterChain chain) {
        exchange.getResponse().setStatusCode(HttpStatus.OK);
        return exchange.getResponse().setComplete();
    }

    private static GatewayFilter answer(HttpStatus status, String detail) {
        return (exchange, chain) -> JsonAnswer.problem(status, detail).writeTo(exchange);
    }
}
