/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.util.Arrays;
import java.util.List;

/** The APIs of the published scenarios; their names tell them from everyone else's. */
enum ApimApi {
    /** Invokes the back end as it is. */
    ECHO("passthrough", "GatebenchEcho", "/echo", "/"),
    /** Swaps the two members of each answer. */
    MEDIATION("transformation", "GatebenchMediation", "/mediation", "/"),
    /** GraphQL. */
    STARWARS("starwars", "GatebenchStarWars", "/starwars", "/graphql");

    /** The version of all of them, which is the second part of their paths. */
    static final String VERSION = "1.0.0";

    private final String scenario;
    private final String apiName;
    private final String context;
    private final String backendPath;

    ApimApi(String scenario, String apiName, String context, String backendPath) {
        this.scenario = scenario;
        this.apiName = apiName;
        this.context = context;
        this.backendPath = backendPath;
    }

    /** Returns those that scenarios need. */
    static List<ApimApi> of(List<String> scenarios) {
        return Arrays.stream(values())
                .filter(api -> scenarios.contains(api.scenario))
                .toList();
    }

    String scenario() {
        return scenario;
    }

    String apiName() {
        return apiName;
    }

    String context() {
        return context;
    }

    String backendPath() {
        return backendPath;
    }
}
