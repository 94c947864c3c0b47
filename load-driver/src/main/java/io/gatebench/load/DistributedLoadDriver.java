/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.gatebench.load.jmeter.DistributedLoad;
import io.gatebench.load.jmeter.EmbeddedLoad;
import io.gatebench.model.Figure;
import io.gatebench.model.LoadGeneratorHealth;
import io.gatebench.model.LoadRun;

/**
 * Sends the load from several machines by JMeter's distributed mode.
 *
 * <p>On each machine runs a {@link RemoteLoadGeneratorMain}. Users, rates and tokens are shared out; each remote records
 * in its own histograms and sends them once, at the end, so that the merged figures are exact and the controller does
 * not depend on the sample rate. The file of tokens must lie at the same path on every machine.
 */
public final class DistributedLoadDriver implements LoadDriver {

    private final List<String> remotes;

    /**
     * Creates a driver.
     *
     * @param remotes addresses as {@code host:port}, in the order of their shares
     */
    public DistributedLoadDriver(List<String> remotes) {
        this.remotes = List.copyOf(remotes);
    }

    /** {@inheritDoc} A JTL is refused, and progress is not told: samples stay where they are taken until the end. */
    @Override
    public LoadRun run(LoadRequest request, Path directory, LoadProgress progress) {
        if (request.jtl().isPresent()) {
            throw new LoadException("a JTL is not collected from several load generators; drop --jtl");
        }
        EmbeddedLoad.Outcome outcome = new DistributedLoad(request, remotes).run();
        Figure elsewhere = Figure.absent("it is measured on the machines of the load generators");
        LoadGeneratorHealth health = new LoadGeneratorHealth(
                elsewhere, elsewhere, elsewhere, elsewhere, Figure.of(outcome.connectionsOpened()), false, List.of());
        return JMeterLoadDriver.write(
                request, directory, outcome, health, Map.of("load.generators", String.valueOf(remotes.size())));
    }

    /** Is not supported while remotes run: they end by themselves, at the latest when the test does. */
    @Override
    public void stop(String reason) {
        // JMeter's remote engines are stopped with their processes, by whoever started those.
    }
}
