/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.kubernetes;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.gatebench.hosts.BoundedOutput;
import io.gatebench.hosts.HostConnection;
import io.gatebench.model.ShellWord;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostUnreachableException;

/**
 * The shell of the pod that plays a part just now, reached through the API server: after a pod was lost, that of the pod
 * which took its place.
 */
final class PodConnection implements HostConnection {

    private static final Logger LOG = LoggerFactory.getLogger(PodConnection.class);
    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final String RELAY = RunObjects.DIRECTORY + "/relay";

    private final KubernetesClient client;
    private final String namespace;
    private final Map<String, String> labels;
    private final String name;
    private final boolean direct;
    private final String java;
    private final Map<InetSocketAddress, PodRelay> relays = new HashMap<>();
    private @Nullable Pod pod;
    private String address = "";
    private String scriptOf = "";
    private String relayOf = "";
    private volatile boolean closed;

    /**
     * Creates it.
     *
     * @param labels the labels that the pod alone has
     * @param name what messages call it
     * @param direct whether the addresses of pods are reached from here
     * @param java the {@code java} command in the pod
     */
    PodConnection(
            KubernetesClient client,
            String namespace,
            Map<String, String> labels,
            String name,
            boolean direct,
            String java) {
        this.client = client;
        this.namespace = namespace;
        this.labels = Map.copyOf(labels);
        this.name = name;
        this.direct = direct;
        this.java = java;
    }

    private synchronized Pod pod() {
        if (closed) {
            throw new HostException("the connection to " + name + " was closed by this program");
        }
        Pod known = pod;
        if (known != null) {
            return known;
        }
        Pod found;
        try {
            found = client.pods().inNamespace(namespace).withLabels(labels).list().getItems().stream()
                    .filter(Pods::isUsable)
                    .findFirst()
                    .orElseThrow(() -> new HostUnreachableException(
                            "there is no running pod of " + name + " in the namespace " + namespace));
        } catch (KubernetesClientException e) {
            throw failure(e);
        }
        pod = found;
        address = found.getStatus().getPodIP();
        return found;
    }

    /** Looks for the pod anew with the next command: another one may have taken its place. */
    synchronized void lookAgain() {
        pod = null;
    }

    private synchronized void forget(Pod lost) {
        if (pod == lost) {
            pod = null;
        }
    }

    @Override
    public synchronized String hostName() {
        return address;
    }

    @Override
    public boolean isApart() {
        return !direct;
    }

    /** The script is put into the pod: the words of commands are part of what the API server keeps in its audit log. */
    @Override
    public String command(String script, List<String> words) {
        String file = RunObjects.DIRECTORY + "/host.sh";
        synchronized (this) {
            String uid = pod().getMetadata().getUid();
            if (!uid.equals(scriptOf)) {
                put(file, script.getBytes(StandardCharsets.UTF_8));
                scriptOf = uid;
            }
        }
        return "exec /bin/sh " + file + " "
                + words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
    }

    private void put(String file, byte[] content) {
        String directory = file.substring(0, file.lastIndexOf('/'));
        Exec stored = exec(
                "mkdir -p " + directory + " && cat >" + file + ".new && mv " + file + ".new " + file, content, QUICK);
        if (stored.status() != 0) {
            throw new HostException(
                    name + " cannot store " + file + ": " + stored.errorOutput().trim());
        }
    }

    @Override
    public Exec exec(String command, InputStream in, long length, OutputStream out, Duration timeout) {
        Pod current = pod();
        // The end of the input is not told in the protocol that all clusters know: the command gets that many bytes.
        String bounded = length == 0
                ? "exec </dev/null; " + command
                : "head -c " + length + " | sh -c " + ShellWord.quoted(command);
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        try (PodExec running = new PodExec(client, current, bounded, out, new BoundedOutput(err, MAX_OUTPUT))) {
            if (length > 0) {
                send(in, running);
            }
            int status = running.exit().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            if (status < 0) {
                forget(current);
                throw new HostUnreachableException(
                        "the connection to " + name + " was lost while a command ran; how it ended is not known");
            }
            return new Exec(status, new byte[0], err.toString(StandardCharsets.UTF_8));
        } catch (KubernetesClientException e) {
            forget(current);
            throw failure(e);
        } catch (ExecutionException e) {
            forget(current);
            if (e.getCause() instanceof KubernetesClientException refused) {
                throw failure(refused);
            }
            throw new HostUnreachableException(
                    "the connection to " + name + " was lost: " + HostException.reason(e), e);
        } catch (TimeoutException e) {
            forget(current);
            throw new HostUnreachableException(name + " did not answer within " + timeout.toSeconds() + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HostException("interrupted while " + name + " was waited for", e);
        }
    }

    /** Sends what the command takes; how it ends tells what it does not take any more. */
    private static void send(InputStream in, PodExec running) {
        byte[] piece = new byte[1 << 15];
        try {
            for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                running.send(piece, read);
            }
        } catch (IOException e) {
            LOG.debug("{}", e.getMessage());
        }
    }

    private HostException failure(KubernetesClientException e) {
        if (e.getCode() == 401 || e.getCode() == 403) {
            return new HostException("the cluster does not let this program use " + name + ": " + Pods.reason(e), e);
        }
        return new HostUnreachableException(name + " cannot be reached: " + Pods.reason(e), e);
    }

    @Override
    public synchronized InetSocketAddress forward(String to, int port) {
        InetSocketAddress there = InetSocketAddress.createUnresolved(to, port);
        PodRelay open = relays.get(there);
        try {
            if (open == null) {
                open = new PodRelay(this, to, port);
                relays.put(there, open);
            }
            return open.address();
        } catch (IOException e) {
            throw new HostException(
                    "no way through " + name + " to " + to + ":" + port + " can be made: " + HostException.reason(e),
                    e);
        }
    }

    /** Pumps bytes between streams here and a server that the pod reaches. */
    PodExec relay(String to, int port, OutputStream out) throws InterruptedException {
        putRelay();
        return new PodExec(client, pod(), relayCommand(to, port, ""), out, OutputStream.nullOutputStream());
    }

    @Override
    public boolean reaches(String to, int port) {
        putRelay();
        return exec(relayCommand(to, port, " check"), QUICK).status() == 0;
    }

    private String relayCommand(String to, int port, String check) {
        return "exec " + java + " -Xmx16m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp " + RELAY + " "
                + Relay.class.getName() + " " + ShellWord.quoted(to) + " " + port + check;
    }

    private synchronized void putRelay() {
        String uid = pod().getMetadata().getUid();
        if (uid.equals(relayOf)) {
            return;
        }
        String path = Relay.class.getName().replace('.', '/') + ".class";
        try (InputStream in = Relay.class.getResourceAsStream("Relay.class")) {
            put(
                    RELAY + "/" + path,
                    Objects.requireNonNull(in, "the plug-in was packed without the relay")
                            .readAllBytes());
        } catch (IOException e) {
            throw new HostException("cannot read the relay of this program: " + HostException.reason(e), e);
        }
        relayOf = uid;
    }

    @Override
    public void close() {
        closed = true;
        synchronized (this) {
            relays.values().forEach(PodRelay::close);
            relays.clear();
        }
    }
}
