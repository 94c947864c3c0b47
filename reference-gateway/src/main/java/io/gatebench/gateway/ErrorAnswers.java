/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.io.IOException;
import java.util.concurrent.TimeoutException;

import io.netty.handler.timeout.ReadTimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;
import reactor.netty.internal.shaded.reactor.pool.PoolAcquireTimeoutException;

/**
 * Answers what went wrong with a status and a small JSON body.
 *
 * <p>Failures of the back end are not logged: under load they come by the thousand, and the client sees each of them.
 */
@Order(-2)
class ErrorAnswers implements WebExceptionHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorAnswers.class);

    @Override
    public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
        if (exchange.getResponse().isCommitted()) {
            // Part of the answer is out: only a closed connection tells the client now.
            return Mono.error(failure);
        }
        // What the back end had said about a body that is not sent after all.
        exchange.getResponse().getHeaders().clear();
        if (failure instanceof AnswerException answered) {
            return answered.answer().writeTo(exchange);
        }
        HttpStatus status = status(failure);
        if (status == HttpStatus.INTERNAL_SERVER_ERROR) {
            LOG.error("{} failed", exchange.getRequest().getPath(), failure);
        }
        return JsonAnswer.problem(status, detail(status, failure)).writeTo(exchange);
    }

    private static HttpStatus status(Throwable failure) {
        if (failure instanceof ResponseStatusException known) {
            HttpStatus status = HttpStatus.resolve(known.getStatusCode().value());
            return status == null ? HttpStatus.INTERNAL_SERVER_ERROR : status;
        }
        if (failure instanceof AuthenticationServiceException || failure instanceof PoolAcquireTimeoutException) {
            return HttpStatus.SERVICE_UNAVAILABLE;
        }
        if (failure instanceof TimeoutException || failure instanceof ReadTimeoutException) {
            return HttpStatus.GATEWAY_TIMEOUT;
        }
        return failure instanceof IOException ? HttpStatus.BAD_GATEWAY : HttpStatus.INTERNAL_SERVER_ERROR;
    }

    private static String detail(HttpStatus status, Throwable failure) {
        if (failure instanceof ResponseStatusException known && known.getReason() != null) {
            return known.getReason();
        }
        return switch (status) {
            case NOT_FOUND -> "no route for this path";
            case BAD_GATEWAY -> "the back end cannot be reached or broke the connection";
            case GATEWAY_TIMEOUT -> "the back end did not answer in time";
            case SERVICE_UNAVAILABLE ->
                failure instanceof AuthenticationServiceException
                        ? "the token cannot be checked now"
                        : "no connection to the back end became free";
            default -> status.getReasonPhrase();
        };
    }
}
