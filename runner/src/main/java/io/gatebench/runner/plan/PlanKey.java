/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

import io.gatebench.settings.Key;
import io.gatebench.settings.Shape;

/**
 * Everything that a plan can say: the same names as keys of a plan file and as options of the command line.
 *
 * @since 0.1
 */
public enum PlanKey {
    /** Name of the product. */
    PRODUCT(PlanValues.TEXT),
    /** {@code quick} or {@code release}. */
    PROFILE(PlanValues.PROFILE),
    /** Scenarios to run, by name or pattern with {@code *}. */
    SCENARIO(PlanValues.TEXT, true),
    /** Scenarios to leave out, by name or pattern with {@code *}. */
    EXCLUDE_SCENARIO(PlanValues.TEXT, true),
    /** Names that the published documents give scenarios, each as {@code scenario=name}. */
    SCENARIO_NAME(PlanValues.TEXT, true),
    /** Heap sizes of the gateway. */
    HEAP(PlanValues.HEAP, true),
    /** Concurrent users. */
    USERS(PlanValues.USERS, true),
    /** Request payloads in bytes. */
    MESSAGE_SIZE(PlanValues.MESSAGE_SIZE, true),
    /** GraphQL query numbers. */
    QUERY(PlanValues.QUERY, true),
    /** Numbers of XML elements. */
    ELEMENTS(PlanValues.ELEMENTS, true),
    /** Waits added by the back end. */
    BACKEND_DELAY(PlanValues.DELAY, true),
    /** Length of each test, warm-up included. */
    DURATION(PlanValues.SECONDS),
    /** Leading part that does not count. */
    WARM_UP(PlanValues.WARM_UP),
    /** Time in which all users start. */
    RAMP_UP(PlanValues.SECONDS),
    /** Requests per second of an open load model, also in steps. */
    RATE(PlanValues.TEXT, true),
    /** Users of a closed load model that change in steps. */
    USER_LEVELS(PlanValues.TEXT, true),
    /** Wait between an answer and the next request of the same user. */
    THINK_TIME(PlanValues.MILLIS),
    /** Least time between two requests of the same user. */
    PACING(PlanValues.MILLIS),
    /** {@code case}, {@code scenario} or {@code never}: when the gateway is started anew. */
    RESTART(PlanValues.RESTART),
    /** Number of times that each test case is measured. */
    REPEAT(PlanValues.REPEAT),
    /** True if each test case is also measured straight at the back end. */
    CONTROL_RUN(PlanValues.FLAG),
    /** Heap of the back end. */
    BACKEND_HEAP(PlanValues.HEAP),
    /** Heap of the load generator. */
    LOAD_GENERATOR_HEAP(PlanValues.HEAP),
    /** {@code fast} or {@code jmeter}. */
    HTTP_CLIENT(PlanValues.CLIENT),
    /** {@code wso2}: payloads in the sizes of the predecessor's files, which are not exact. */
    PAYLOAD_COMPAT(PlanValues.COMPAT),
    /** Number of different payloads of one size that users send in turn. */
    PAYLOAD_VARIANTS(PlanValues.VARIANTS),
    /** File whose bytes are the payload. */
    PAYLOAD_FILE(PlanValues.TEXT),
    /** Requests for each of which one probe goes along with the load; 0 for no probe. */
    PROBE_EVERY(PlanValues.PROBE),
    /** File that describes the gateway of the product {@code http}. */
    GATEWAY_CONFIG(PlanValues.TEXT),
    /** Base URL of a gateway that runs already. */
    GATEWAY_URL(PlanValues.URL),
    /** Product pack to install. */
    GATEWAY_HOME(PlanValues.TEXT),
    /** Processors that a gateway from a pack may use, by a control group. */
    CPUS(PlanValues.CPUS),
    /** Processors of its machine that the gateway gets for itself. */
    GATEWAY_CPUS(PlanValues.GATEWAY_CPUS, true),
    /** Memory that the gateway, or its container, is limited to. */
    GATEWAY_MEMORY(PlanValues.GATEWAY_MEMORY, true),
    /** Numbers of gateways that share the load. */
    GATEWAY_REPLICAS(PlanValues.REPLICAS, true),
    /** True if what was set up stays. */
    KEEP(PlanValues.FLAG),
    /** Port of the gateway. */
    GATEWAY_PORT(PlanValues.PORT),
    /** Port of the back end. */
    BACKEND_PORT(PlanValues.PORT),
    /** Directory that the results go to. */
    RESULTS(PlanValues.TEXT),
    /** Conditions that the figures must meet. */
    THRESHOLDS(PlanValues.TEXT, true),
    /** True if a test case of which every request fails runs to its end and has a row in the report. */
    KEEP_FAILED_ROWS(PlanValues.FLAG),
    /** True if no test case is tried any more after one that failed. */
    STOP_ON_FAILURE(PlanValues.FLAG);

    private final Shape.Scalar<?> shape;
    private final boolean several;

    PlanKey(Shape.Scalar<?> shape) {
        this(shape, false);
    }

    PlanKey(Shape.Scalar<?> shape, boolean several) {
        this.shape = shape;
        this.several = several;
    }

    /** Returns the name in options (after two dashes) and plan files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns whether its values are paths of this machine. */
    boolean isPath() {
        return this == GATEWAY_CONFIG || this == PAYLOAD_FILE || this == GATEWAY_HOME || this == RESULTS;
    }

    /** Returns the key of that name, if there is one. */
    static Optional<PlanKey> of(String name) {
        return Arrays.stream(values()).filter(k -> k.key().equals(name)).findFirst();
    }

    /** Returns every name. */
    static List<String> keys() {
        return Arrays.stream(values()).map(PlanKey::key).toList();
    }

    /** Returns what each value is. */
    Shape.Scalar<?> shape() {
        return shape;
    }

    /** Returns how a plan file says it: a value, or a list of them. */
    Key inFile(String says) {
        return Key.of(key(), Shape.either(shape, new Shape.Items(shape, 1, several ? 0 : 1)), says);
    }
}
