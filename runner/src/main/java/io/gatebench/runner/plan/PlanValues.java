/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.model.DataSize;
import io.gatebench.model.GatewayCpus;
import io.gatebench.model.GatewayRestart;
import io.gatebench.settings.SecretHeaders;
import io.gatebench.settings.Shape;
import io.gatebench.spi.Profile;

/** The values of a plan's keys, whatever the product and the other keys. */
final class PlanValues {

    static final int MAX_USERS = 100_000;
    static final int MAX_MESSAGE = 1 << 30;

    /** All variants of a payload are kept in memory. */
    private static final int MAX_VARIANTS = 1000;

    private static final int MAX_REPEATS = 1000;

    /** As many as there may be load generators, each of which sends to one of them. */
    private static final int MAX_REPLICAS = 100;

    private static final int MAX_ELEMENTS = 1_000_000;
    private static final int RAREST_PROBE = 1_000_000_000;
    private static final Duration MAX_DELAY = Duration.ofHours(1);
    private static final DataSize MIN_HEAP = DataSize.ofMebibytes(2);

    /** Docker's own least limit. */
    private static final DataSize MIN_GATEWAY_MEMORY = DataSize.ofMebibytes(6);

    static final Shape.Scalar<String> TEXT = Shape.text();
    static final Shape.Scalar<Boolean> FLAG = Shape.flag();
    static final Shape.Scalar<Duration> SECONDS = Shape.duration("s");
    static final Shape.Scalar<Duration> MILLIS = Shape.duration("ms");
    static final Shape.Scalar<DataSize> SIZE = Shape.size();
    static final Shape.Scalar<Profile> PROFILE = Shape.choice(Arrays.asList(Profile.values()), Profile::optionName);
    static final Shape.Scalar<DataSize> HEAP = new Shape.Scalar<>(PlanValues::heap, SIZE.schema());
    static final Shape.Scalar<DataSize> GATEWAY_MEMORY = new Shape.Scalar<>(PlanValues::gatewayMemory, SIZE.schema());
    static final Shape.Scalar<Integer> USERS = Shape.number(1, MAX_USERS);
    static final Shape.Scalar<DataSize> MESSAGE_SIZE = new Shape.Scalar<>(PlanValues::bytes, SIZE.schema());
    static final Shape.Scalar<Integer> QUERY = Shape.number(1, 3);
    static final Shape.Scalar<Integer> ELEMENTS = Shape.number(1, MAX_ELEMENTS);
    static final Shape.Scalar<Duration> DELAY = new Shape.Scalar<>(PlanValues::delay, MILLIS.schema());
    static final Shape.Scalar<WarmUp> WARM_UP = Shape.read(WarmUp::parse);
    static final Shape.Scalar<GatewayRestart> RESTART =
            Shape.choice(Arrays.asList(GatewayRestart.values()), GatewayRestart::optionName);
    static final Shape.Scalar<Integer> REPEAT = Shape.number(1, MAX_REPEATS);
    static final Shape.Scalar<HttpClientKind> CLIENT =
            Shape.choice(List.of(HttpClientKind.values()), kind -> kind.name().toLowerCase(Locale.ROOT));
    static final Shape.Scalar<String> COMPAT = Shape.choice("wso2");
    static final Shape.Scalar<Integer> VARIANTS = Shape.number(1, MAX_VARIANTS);
    static final Shape.Scalar<Integer> PROBE = Shape.number(0, RAREST_PROBE);
    static final Shape.Scalar<URI> URL = Shape.read(PlanValues::url);
    static final Shape.Scalar<Double> CPUS =
            Shape.decimal(0.01, 1024, "a number of processors from 0.01 to 1024, e.g. 1.5,");
    static final Shape.Scalar<GatewayCpus> GATEWAY_CPUS = Shape.read(PlanValues::gatewayCpus);
    static final Shape.Scalar<Integer> REPLICAS = Shape.number(1, MAX_REPLICAS);
    static final Shape.Scalar<Integer> PORT = Shape.number(1, 65535);

    private PlanValues() {}

    private static DataSize bytes(String text) {
        try {
            return DataSize.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be a whole number of bytes, or a size such as 10KiB, but was '" + text + "'", e);
        }
    }

    private static DataSize heap(String text) {
        DataSize size = DataSize.parse(text);
        if (size.compareTo(MIN_HEAP) < 0) {
            throw new IllegalArgumentException(
                    "must be at least 2M, below which no JVM starts, but was '" + text + "'; give a unit, e.g. 512M");
        }
        return size;
    }

    private static Duration delay(String text) {
        Duration delay = MILLIS.apply(text);
        if (delay.compareTo(MAX_DELAY) > 0) {
            throw new IllegalArgumentException(
                    "must be at most 1h, which is the longest that the back end waits, but was '" + text + "'");
        }
        return delay;
    }

    private static URI url(String text) {
        try {
            URI url = URI.create(text);
            boolean http = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
            boolean bare = url.getRawPath().isEmpty() || url.getRawPath().equals("/");
            if (http
                    && bare
                    && url.getHost() != null
                    && url.getRawUserInfo() == null
                    && url.getRawQuery() == null
                    && url.getRawFragment() == null) {
                return URI.create(url.getScheme() + "://" + url.getRawAuthority());
            }
        } catch (IllegalArgumentException e) {
            // The message below holds for both.
        }
        throw new IllegalArgumentException("must be scheme, host and port such as https://10.0.0.5:8243 but was '"
                + SecretHeaders.withoutUser(text) + "'");
    }

    private static GatewayCpus gatewayCpus(String text) {
        GatewayCpus cpus;
        try {
            cpus = GatewayCpus.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "must be auto, all or a number of processors, e.g. 2, but was '" + text + "'", e);
        }
        return cpus;
    }

    private static DataSize gatewayMemory(String text) {
        DataSize size = DataSize.parse(text);
        if (size.compareTo(MIN_GATEWAY_MEMORY) < 0) {
            throw new IllegalArgumentException("must be at least " + MIN_GATEWAY_MEMORY
                    + ", below which nothing starts, but was '" + text + "'; give a unit, e.g. 512M");
        }
        return size;
    }
}
