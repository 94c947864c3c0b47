/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

import io.fabric8.kubernetes.client.KubernetesClientException;

import io.gatebench.hosts.environment.ClusterProvider;
import io.gatebench.hosts.environment.HostRequirements;
import io.gatebench.settings.JsonSchema;
import io.gatebench.spi.Environment;
import io.gatebench.spi.EnvironmentException;
import io.gatebench.spi.host.HostException;

/** Runs roles in the pods of a Kubernetes cluster. */
public final class KubernetesProvider implements ClusterProvider {

    /** The name of the environment. */
    static final String NAME = "kubernetes";

    private static final Duration REMOVAL = Duration.ofMinutes(2);

    /** Creates it. */
    public KubernetesProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String settingsSchema() {
        return JsonSchema.of("Settings of Gatebench for runs in Kubernetes", KubernetesSettingsFile.KEYS);
    }

    @Override
    public void check(Path settings) {
        KubernetesSettingsFile.read(settings);
    }

    @Override
    public Optional<URI> gatewayUrl(Path settings) {
        KubernetesSettings read = KubernetesSettingsFile.read(settings);
        if (read.existing().isEmpty()) {
            return Optional.empty();
        }
        try (Cluster cluster = Cluster.connect(read.kubeconfig(), read.context())) {
            return Optional.of(read.existing().get().url(cluster.client()));
        } catch (KubernetesClientException e) {
            throw failed(e);
        }
    }

    @Override
    public Environment open(Path settings, HostRequirements demands, String run, Clock clock, Consumer<String> notes) {
        KubernetesSettings read = KubernetesSettingsFile.read(settings).withGateways(demands.gatewayReplicas());
        return KubernetesEnvironment.open(
                read, Cluster.connect(read.kubeconfig(), read.context()), demands, run, clock, notes);
    }

    @Override
    public List<Left> list(Optional<Path> settings, Optional<String> run) {
        return with(settings, (cluster, namespace) -> cluster.list(namespace, run));
    }

    @Override
    public List<Left> clean(Optional<Path> settings, Optional<String> run, boolean force) {
        return with(settings, (cluster, namespace) -> {
            List<Left> left = new ArrayList<>();
            for (Left one : cluster.list(namespace, run)) {
                if (one.inUse() && !force) {
                    left.add(one);
                    continue;
                }
                if (namespace.isPresent()) {
                    cluster.removeIn(one.run(), one.place());
                } else {
                    cluster.remove(one.run(), one.place());
                }
                left.addAll(cluster.awaitGone(Optional.of(one.place()), one.run(), REMOVAL));
                if (namespace.isEmpty()) {
                    left.addAll(cluster.awaitGone(Optional.empty(), one.run(), REMOVAL));
                }
            }
            return left;
        });
    }

    /** Action on a cluster; the namespace is the one that the settings name. */
    private interface Work {
        List<Left> with(Cluster cluster, Optional<String> namespace);
    }

    private static List<Left> with(Optional<Path> settings, Work work) {
        Optional<KubernetesSettings> read = settings.map(KubernetesSettingsFile::read);
        try (Cluster cluster = Cluster.connect(
                read.flatMap(KubernetesSettings::kubeconfig), read.flatMap(KubernetesSettings::context))) {
            return work.with(cluster, read.flatMap(KubernetesSettings::namespace));
        } catch (KubernetesClientException e) {
            throw failed(e);
        } catch (HostException e) {
            throw new EnvironmentException(List.of(String.valueOf(e.getMessage())));
        }
    }

    static EnvironmentException failed(KubernetesClientException e) {
        String what =
                e.getStatus() == null && e.getCode() == 0 ? "the cluster cannot be reached: " : "the cluster refuses: ";
        EnvironmentException failed = new EnvironmentException(List.of(what + Pods.reason(e)));
        failed.initCause(e);
        return failed;
    }
}
