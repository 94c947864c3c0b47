/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import io.gatebench.load.engine.AbortRules;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.PayloadOptions;

/**
 * Settings by which every load of a run is sent.
 *
 * @param httpClient the client that the load generator uses
 * @param payload how payloads are made
 * @param model how requests follow each other
 * @param probeEvery one probe goes along for so many samples; 0 for no probe
 * @param throughFailures whether a load of which every sample fails goes on to its end
 */
public record LoadSettings(
        HttpClientKind httpClient, PayloadOptions payload, LoadModel model, int probeEvery, boolean throughFailures) {

    LoadRequest apply(LoadRequest request) {
        LoadRequest made = request.withClient(httpClient).withPayload(payload).withModel(model);
        return throughFailures ? made.withAbort(AbortRules.never()) : made;
    }

    /** Returns these settings for a load so short that a rate which rises later would not be seen. */
    LoadSettings closed() {
        return new LoadSettings(httpClient, payload, LoadModel.closed(), probeEvery, false);
    }
}
