/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Everything that a plan can say: the same names as keys of a plan file and as options of the command line.
 *
 * @since 0.1
 */
public enum PlanKey {
    /** Name of the product. */
    PRODUCT,
    /** {@code quick} or {@code release}. */
    PROFILE,
    /** Scenarios to run, by name or pattern with {@code *}. */
    SCENARIO,
    /** Scenarios to leave out, by name or pattern with {@code *}. */
    EXCLUDE_SCENARIO,
    /** Names that the published documents give scenarios, each as {@code scenario=name}. */
    SCENARIO_NAME,
    /** Heap sizes of the gateway. */
    HEAP,
    /** Concurrent users. */
    USERS,
    /** Request payloads in bytes. */
    MESSAGE_SIZE,
    /** GraphQL query numbers. */
    QUERY,
    /** Numbers of XML elements. */
    ELEMENTS,
    /** Waits added by the back end. */
    BACKEND_DELAY,
    /** Length of each test, warm-up included. */
    DURATION,
    /** Leading part that does not count. */
    WARM_UP,
    /** Time in which all users start. */
    RAMP_UP,
    /** Requests per second of an open load model, also in steps. */
    RATE,
    /** Users of a closed load model that change in steps. */
    USER_LEVELS,
    /** Wait between an answer and the next request of the same user. */
    THINK_TIME,
    /** Least time between two requests of the same user. */
    PACING,
    /** {@code case}, {@code scenario} or {@code never}: when the gateway is started anew. */
    RESTART,
    /** Number of times that each cell is measured. */
    REPEAT,
    /** Whether each cell is also measured straight at the back end. */
    CONTROL_RUN,
    /** Heap of the back end. */
    BACKEND_HEAP,
    /** Heap of the load generator. */
    LOAD_GENERATOR_HEAP,
    /** {@code fast} or {@code jmeter}. */
    HTTP_CLIENT,
    /** {@code wso2}: payloads in the sizes of the predecessor's files, which are not exact. */
    PAYLOAD_COMPAT,
    /** Number of different payloads of one size that users send in turn. */
    PAYLOAD_VARIANTS,
    /** File whose bytes are the payload. */
    PAYLOAD_FILE,
    /** Requests for each of which one probe goes along with the load; 0 for no probe. */
    PROBE_EVERY,
    /** File that describes the gateway of the product {@code http}. */
    GATEWAY_CONFIG,
    /** Base URL of a gateway that runs already. */
    GATEWAY_URL,
    /** Product pack to install. */
    GATEWAY_HOME,
    /** Processors that a gateway from a pack may use, by a control group. */
    CPUS,
    /** Processors of its machine that the gateway gets for itself. */
    GATEWAY_CPUS,
    /** Memory that the container of the gateway is limited to. */
    GATEWAY_MEMORY,
    /** Whether what was set up stays. */
    KEEP,
    /** Port of the gateway. */
    GATEWAY_PORT,
    /** Port of the back end. */
    BACKEND_PORT,
    /** Directory that the results go to. */
    RESULTS,
    /** Conditions that the figures must meet. */
    THRESHOLDS,
    /** Whether a cell of which every request fails runs to its end and has a row in the report. */
    KEEP_FAILED_ROWS,
    /** Whether no cell is tried any more after one that failed. */
    STOP_ON_FAILURE;

    /** Returns the name in options (after two dashes) and plan files. */
    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the key of that name, if there is one. */
    static Optional<PlanKey> of(String name) {
        return Arrays.stream(values()).filter(k -> k.key().equals(name)).findFirst();
    }

    /** Returns every name. */
    static List<String> keys() {
        return Arrays.stream(values()).map(PlanKey::key).toList();
    }
}
