/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateway;

import java.util.Locale;

/** The product whose routes are served. */
enum GatewayProfile {
    /** The routes of API Manager: echo, mediation and the Star Wars GraphQL API. */
    APIM(8243),
    /** The routes of the Microgateway: echo. */
    MICROGATEWAY(9095);

    private final int defaultHttpsPort;

    GatewayProfile(int defaultHttpsPort) {
        this.defaultHttpsPort = defaultHttpsPort;
    }

    /** Returns the HTTPS port that the product itself listens on. */
    int defaultHttpsPort() {
        return defaultHttpsPort;
    }

    /** Returns the name as it is written on the command line. */
    String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
