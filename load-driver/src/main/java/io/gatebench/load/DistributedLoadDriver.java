/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.gatebench.load.engine.LoadDriver;
import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.jmeter.DistributedLoad;
import io.gatebench.model.LoadResult;

/**
 * Sends the load from several machines by JMeter's distributed mode.
 *
 * <p>On each machine runs a {@link RemoteLoadGeneratorMain}. Users, rates and tokens are shared out; each remote records
 * in its own histograms and sends them once, at the end, so that the merged figures are exact and the controller does
 * not depend on the sample rate; it tells of each second as it passes. The file of tokens must lie at the same path on
 * every machine.
 *
 * @since 0.1
 */
public final class DistributedLoadDriver implements LoadDriver {

    private final List<String> remotes;
    private final AtomicReference<DistributedLoad> running = new AtomicReference<>();

    /**
     * Creates a driver.
     *
     * @param remotes addresses as {@code host:port}, in the order of their shares
     */
    public DistributedLoadDriver(List<String> remotes) {
        this.remotes = List.copyOf(remotes);
    }

    /** {@inheritDoc} A JTL is refused: samples stay where they are taken. */
    @Override
    public LoadResult run(LoadRequest request, Path directory, LoadProgress progress) {
        if (request.jtl().isPresent()) {
            throw new LoadException("a JTL is not collected by JMeter's distributed mode; drop it, or run a"
                    + " LoadGeneratorMain per machine, each of which writes its own");
        }
        DistributedLoad load = new DistributedLoad(request, remotes, progress::second);
        if (!running.compareAndSet(null, load)) {
            throw new LoadException("another test of this driver runs");
        }
        try {
            return SharedLoad.merged(request, load.run(), directory);
        } finally {
            running.set(null);
        }
    }

    @Override
    public void stop(String reason) {
        DistributedLoad load = running.get();
        if (load != null) {
            load.stop(reason);
        }
    }
}
