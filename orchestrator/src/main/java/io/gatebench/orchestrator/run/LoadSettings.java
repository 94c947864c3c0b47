/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.run;

import io.gatebench.load.HttpClientKind;
import io.gatebench.load.LoadRequest;

/**
 * How every load of a run is sent.
 *
 * @param httpClient the client that the load generator uses
 */
public record LoadSettings(HttpClientKind httpClient) {

    LoadRequest apply(LoadRequest request) {
        return request.withClient(httpClient);
    }
}
