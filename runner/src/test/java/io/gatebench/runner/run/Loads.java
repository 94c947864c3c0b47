/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MeasuredValue;
import io.gatebench.model.MeasurementWindow;

/** Loads that were not measured, for tests of what happens to them. */
final class Loads {

    private Loads() {}

    static LoadResult empty(Instant at) {
        MeasuredValue none = MeasuredValue.absent("nothing was measured");
        return new LoadResult(
                at,
                new MeasurementWindow(at, at.plusSeconds(1)),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                new LoadGeneratorHealth(none, none, none, none, none, false, List.of()),
                Map.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of());
    }
}
