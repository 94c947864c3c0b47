/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import io.gatebench.load.HttpClientKind;
import io.gatebench.load.LoadRequest;
import io.gatebench.load.PayloadOptions;

/**
 * How every load of a run is sent.
 *
 * @param httpClient the client that the load generator uses
 * @param payload how payloads are made
 */
public record LoadSettings(HttpClientKind httpClient, PayloadOptions payload) {

    LoadRequest apply(LoadRequest request) {
        return request.withClient(httpClient).withPayload(payload);
    }
}
