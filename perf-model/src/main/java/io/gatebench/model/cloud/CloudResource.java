/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model.cloud;

import java.time.Instant;
import java.util.Optional;

/**
 * Something that a run left in the cloud.
 *
 * @param region where it is
 * @param run the run that it belongs to
 * @param kind what it is, e.g. {@code instance}
 * @param id its identifier
 * @param state its state in the provider's words
 * @param usdPerHour its estimated price, absent if that is not known
 * @param expiry when it was to be removed at the latest
 */
public record CloudResource(
        String region,
        String run,
        String kind,
        String id,
        String state,
        Optional<Double> usdPerHour,
        Optional<Instant> expiry) {}
