/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.model.ShellWord;
import io.gatebench.model.SystemInformation;
import io.gatebench.spi.host.BundledText;
import io.gatebench.spi.host.CommandResult;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostException;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.host.HostUnreachableException;
import io.gatebench.spi.host.JavaVersion;
import io.gatebench.spi.host.Pause;
import io.gatebench.spi.host.ProcessSpec;
import io.gatebench.spi.host.Tunnel;

/**
 * A Linux machine that is reached over SSH.
 *
 * <p>Everything is put below one work directory there, which one orchestrator at a time holds by a lock. Processes run
 * detached, so that a lost connection does not end them; a guard on the host ends them when the orchestrator has not
 * renewed its lease for the time of {@link SshSettings#lease}. What cannot be known because the connection was lost is
 * never taken for success. No root is needed.
 */
public final class SshHost implements Host {

    private static final Duration QUICK = Duration.ofSeconds(30);
    private static final Duration TRANSFER = Duration.ofMinutes(30);
    private static final int HELD_BY_ANOTHER = 75;
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 29_999;
    private static final String SCRIPT = BundledText.of(SshHost.class, "host.sh");

    private final SshTarget target;
    private final SshSettings settings;
    private final String run;
    private final HostConnection connection;
    private final Consumer<String> notes;
    private final Map<String, String> facts;
    private final String work;
    private final SshFiles files;
    private final Set<Integer> handedOut = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService heart;
    private volatile boolean locked;
    private volatile boolean lost;
    private volatile String lockOwner = "";
    private volatile boolean closed;
    private volatile String java;
    private volatile int installedVersion;
    /** Once given up, a host is asked once per operation: the patience is not spent anew for each. */
    private volatile boolean abandoned;
    /** The last sign of life: a connection that is dead is noticed only some time after it. */
    private final SteadyClock clock = new SteadyClock();

    private volatile Instant heard = clock.instant();

    private SshHost(
            SshTarget target,
            SshSettings settings,
            String run,
            HostConnection connection,
            Consumer<String> notes,
            Map<String, String> facts) {
        this.target = target;
        this.settings = settings;
        this.run = run;
        this.connection = connection;
        this.notes = notes;
        this.facts = Map.copyOf(facts);
        this.work = target.workDirectory().orElseGet(() -> facts.getOrDefault("home", "/tmp") + "/.gatebench");
        this.java = facts.getOrDefault("java", "");
        this.files = new SshFiles(this, connection, work);
        this.heart = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "gatebench-lease-" + target.name());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Connects to a host and looks at it; changes nothing there.
     *
     * @param run identifier of the run, letters, digits and dashes
     * @param notes is told in words what happens to the connection; called by several threads
     * @throws HostUnreachableException if nobody answers
     * @throws HostException if the host key, the login or the machine is refused
     */
    public static SshHost connect(SshTarget target, SshSettings settings, String run, Consumer<String> notes) {
        return connect(target, settings, new SshConnection(target, settings), run, notes);
    }

    /** Returns what makes the way to a host over SSH. */
    public static Function<SshTarget, HostConnection> ways(SshSettings settings) {
        return target -> new SshConnection(target, settings);
    }

    /**
     * Looks at a host that is reached in a way of the caller's, which is closed with the host; changes nothing there.
     *
     * @throws HostUnreachableException if nobody answers
     * @throws HostException if the machine is refused
     */
    public static SshHost connect(
            SshTarget target, SshSettings settings, HostConnection connection, String run, Consumer<String> notes) {
        if (!run.matches("[A-Za-z0-9-]+")) {
            connection.close();
            throw new IllegalArgumentException("a run has letters, digits and dashes only but was '" + run + "'");
        }
        try {
            HostConnection.Exec info = connection.exec(
                    connection.command(SCRIPT, List.of("info", target.java().orElse(""))), QUICK);
            Map<String, String> facts = new HashMap<>();
            for (String line : info.text().lines().toList()) {
                int equals = line.indexOf('=');
                if (equals > 0) {
                    facts.put(
                            line.substring(0, equals),
                            line.substring(equals + 1).trim());
                }
            }
            if (!facts.getOrDefault("kernel", "").startsWith("Linux")) {
                throw new HostException(target.name() + " is no Linux (it says '" + facts.getOrDefault("kernel", "")
                        + "' " + info.errorOutput().trim() + "); roles on SSH hosts need one");
            }
            return new SshHost(target, settings, run, connection, notes, facts);
        } catch (RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    String command(String... words) {
        return connection.command(SCRIPT, List.of(words));
    }

    /**
     * Takes the work directory for this run, stops what an earlier run left there, and starts the guard.
     *
     * @param owner who holds it from now on, with the time, for the message that another orchestrator gets
     * @throws HostException if another run holds it, or it cannot be written
     */
    public void lock(String owner) {
        HostConnection.Exec taken = patiently(() -> connection.exec(
                command(
                        "acquire",
                        work,
                        run,
                        owner,
                        String.valueOf(settings.lease().toSeconds()),
                        SCRIPT),
                QUICK));
        if (taken.status() == HELD_BY_ANOTHER) {
            throw new HostException(name() + " is in use: " + taken.text().trim()
                    + "; wait for its end, or use another work directory");
        }
        if (taken.status() != 0) {
            throw new HostException(name() + ": the work directory " + work + " cannot be used: "
                    + taken.errorOutput().trim());
        }
        taken.text().lines().forEach(line -> notes.accept(name() + ": " + line));
        if (!locked) {
            long period = Math.max(1000, settings.lease().toMillis() / 6);
            heart.scheduleWithFixedDelay(this::renew, period, period, TimeUnit.MILLISECONDS);
        }
        lockOwner = owner;
        locked = true;
        lost = false;
        target.installJava().ifPresent(this::installJava);
    }

    /** Takes the host again if its lease ran out because it could not be reached, or if it was replaced; what ran there then is gone. */
    public synchronized void recover() {
        // Between two renewals nobody has asked yet, and what is started then would be refused.
        renew();
        if (!lost) {
            return;
        }
        lost = false;
        try {
            lock(lockOwner);
            notes.accept(name() + " was taken again");
        } catch (HostException e) {
            lost = true;
            notes.accept(name() + " could not be taken again: " + e.getMessage());
        }
    }

    /** Synchronized: an answer from before the host was taken again must not be read after it. */
    private synchronized void renew() {
        if (lost) {
            return;
        }
        try {
            HostConnection.Exec renewed = connection.exec(command("renew", work, run), QUICK);
            heard = clock.instant();
            if (renewed.status() != 0 && !closed) {
                lost = true;
                notes.accept("the lease of " + name() + " is over: its processes were stopped there");
            }
        } catch (HostException e) {
            // The next turn tries again; whether the host may be silent for so long is for its users to say.
            if (!closed) {
                org.slf4j.LoggerFactory.getLogger(SshHost.class).debug("{}", e.getMessage());
            }
        }
    }

    private void installJava(Path archive) {
        String there = upload(archive, work + "/cache/" + SshFiles.checksum(archive) + ".tar.gz");
        HostConnection.Exec unpacked =
                patiently(() -> connection.exec(command("unpack", work, SshFiles.checksum(archive), there), TRANSFER));
        if (unpacked.status() != 0 || unpacked.text().isBlank()) {
            throw new HostException(name() + ": the JDK " + archive + " cannot be unpacked there: "
                    + unpacked.errorOutput().trim());
        }
        java = unpacked.text().trim();
        // A new installation is not what the host said of itself when it was reached.
        CommandResult version = run(List.of(java, "-version"), QUICK);
        installedVersion = JavaVersion.feature(version.errorOutput() + version.output());
    }

    /** Tries again while the host cannot be reached, until the patience is over. Only for what may be done twice. */
    <T> T patiently(Supplier<T> operation) {
        Instant since = null;
        Instant last = heard;
        while (true) {
            if (lost) {
                throw new HostException("the lease of " + name() + " is over: it could not be reached for longer than "
                        + settings.lease().toSeconds() + " s, or was replaced, and its processes were stopped there");
            }
            try {
                T result = operation.get();
                abandoned = false;
                heard = clock.instant();
                if (since != null) {
                    notes.accept(name() + " is reached again; it had been silent for "
                            + Duration.between(last, heard).toSeconds() + " s");
                }
                return result;
            } catch (HostUnreachableException e) {
                if (since == null) {
                    since = clock.instant();
                    last = heard;
                    notes.accept(e.getMessage());
                }
                String ends = "; what runs there stops by itself "
                        + settings.lease().toSeconds() + " s after the last sign of life";
                if (abandoned) {
                    throw new HostUnreachableException(name() + " is still not reached" + ends, e);
                }
                if (Duration.between(since, clock.instant()).compareTo(settings.patience()) >= 0) {
                    abandoned = true;
                    throw new HostUnreachableException(
                            name() + " has been silent for "
                                    + Duration.between(last, clock.instant()).toSeconds() + " s" + ends,
                            e);
                }
                Pause.of(Duration.ofSeconds(1), "while a host was waited for");
            }
        }
    }

    /** Runs a verb of the script; it must bear to be run twice. */
    HostConnection.Exec verb(Duration timeout, String... words) {
        return patiently(() -> connection.exec(command(words), timeout));
    }

    void note(String text) {
        notes.accept(text);
    }

    SshSettings settings() {
        return settings;
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public String address() {
        return target.roleAddress().orElseGet(connection::hostName);
    }

    /** Returns the directory that holds everything that is put on the host, also after the run. */
    public String baseDirectory() {
        return work;
    }

    @Override
    public String workDirectory() {
        return work + "/runs/" + run;
    }

    @Override
    public String java() {
        if (java.isEmpty()) {
            throw new HostException(name() + " has no java command; name it in the hosts file (java), or have one"
                    + " installed (install-java)");
        }
        return java;
    }

    @Override
    public int javaFeatureVersion() {
        return installedVersion != 0 ? installedVersion : JavaVersion.feature(facts.getOrDefault("java-version", ""));
    }

    /** Returns the archive from which Java is installed when the host is taken, if one is. */
    public Optional<Path> javaArchive() {
        return target.installJava();
    }

    /**
     * Returns which part of one second's processor time the hypervisor gave to others, or empty if the host does not
     * tell. Takes a second.
     */
    public OptionalDouble stealPercent() {
        List<long[]> readings = verb(QUICK, "processor")
                .text()
                .lines()
                .map(line -> Arrays.stream(line.trim().split("\\s+"))
                        .skip(1)
                        .mapToLong(Long::parseLong)
                        .toArray())
                .toList();
        if (readings.size() != 2 || readings.get(0).length < 8) {
            return OptionalDouble.empty();
        }
        long all = 0;
        for (int i = 0; i < 8; i++) {
            all += readings.get(1)[i] - readings.get(0)[i];
        }
        return all <= 0
                ? OptionalDouble.empty()
                : OptionalDouble.of(100.0 * (readings.get(1)[7] - readings.get(0)[7]) / all);
    }

    /** Returns what the host said of itself: {@code java}, {@code java-version}, {@code governor} and the like. */
    public Map<String, String> facts() {
        return facts;
    }

    @Override
    public void createDirectory(String directory) {
        CommandResult made = patiently(() -> run(List.of("mkdir", "-p", directory), QUICK));
        if (made.exitCode() != 0) {
            throw new HostException(name() + ": cannot create the directory " + directory + ": "
                    + made.errorOutput().trim());
        }
    }

    @Override
    public String upload(Path file, String path) {
        return files.upload(file, path);
    }

    @Override
    public void download(String directory, Path target) {
        files.download(directory, target);
    }

    /**
     * Brings all files of a directory here, and compares the checksum of each with that of the file there.
     *
     * @return the number of files
     * @throws HostException if one is missing or differs
     */
    public int downloadAndCompare(String directory, Path target) {
        return files.downloadAndCompare(directory, target);
    }

    @Override
    public CommandResult run(List<String> command, Duration timeout) {
        List<String> words =
                new ArrayList<>(List.of("timeout", "-k", "2", String.valueOf(timeout.toMillis() / 1000.0)));
        words.addAll(command);
        String line = words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
        HostConnection.Exec ended = connection.exec(line, timeout.plus(QUICK));
        if (ended.status() == 124) {
            throw new HostException(command.get(0) + " did not end within " + timeout.toSeconds() + " s on " + name()
                    + " and was stopped");
        }
        return new CommandResult(ended.status(), ended.text(), ended.errorOutput());
    }

    @Override
    public HostProcess start(ProcessSpec spec) {
        if (spec.memory().isPresent()) {
            return MemoryGroup.start(this, spec);
        }
        if (!locked) {
            throw new IllegalStateException(name() + " was not locked: a process would have no guard");
        }
        String role = run + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        List<String> words = new ArrayList<>(List.of("start", work, run, role, spec.directory()));
        words.addAll(spec.executed());
        byte[] variables = variables(spec).getBytes(StandardCharsets.UTF_8);
        HostConnection.Exec begun =
                patiently(() -> connection.exec(command(words.toArray(String[]::new)), variables, QUICK));
        String pid = begun.text().trim();
        if (begun.status() != 0 || !pid.matches("\\d+")) {
            throw new HostException(name() + " cannot start " + spec.name() + ": "
                    + (begun.errorOutput().isBlank()
                            ? "it says nothing"
                            : begun.errorOutput().trim()));
        }
        return new SshProcess(this, spec, role, Long.parseLong(pid));
    }

    /** Returns the lines of a shell that set the variables of a process. */
    private static String variables(ProcessSpec spec) {
        StringBuilder lines = new StringBuilder();
        spec.environment().forEach((name, value) -> {
            if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new HostException(spec.name() + " cannot have a variable of the name '" + name
                        + "': it must have letters, digits and underscores only");
            }
            lines.append("export ")
                    .append(name)
                    .append('=')
                    .append(ShellWord.quoted(value))
                    .append('\n');
        });
        return lines.toString();
    }

    @Override
    public boolean isPortFree(int port) {
        return !listening().contains(port);
    }

    @Override
    public int freePort() {
        Set<Integer> taken = listening();
        ThreadLocalRandom random = ThreadLocalRandom.current();
        for (int attempt = 0; attempt < 1000; attempt++) {
            // Below the range from which the kernel takes the ports of outgoing connections.
            int port = random.nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
            if (!taken.contains(port) && handedOut.add(port)) {
                return port;
            }
        }
        throw new HostException("no free port on " + name());
    }

    private Set<Integer> listening() {
        HostConnection.Exec tables =
                patiently(() -> connection.exec("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null || true", QUICK));
        return tables.text()
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length > 3 && words[3].equals("0A"))
                .map(words -> Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1), 16))
                .collect(Collectors.toSet());
    }

    @Override
    public URI reach(URI server) {
        if (!connection.isApart()) {
            return server;
        }
        HttpTarget there = HttpTarget.of(server);
        InetSocketAddress here = patiently(() -> {
            // A connection that was lost shows it only when it is used, and its ports lead nowhere then.
            connection.exec("true", QUICK);
            return connection.forward(there.host(), there.port());
        });
        // By name: that is what the certificates that products come with are made out to.
        return URI.create(server.getScheme() + "://localhost:" + here.getPort()
                + (server.getRawPath() == null ? "" : server.getRawPath())
                + (server.getRawQuery() == null ? "" : "?" + server.getRawQuery()));
    }

    @Override
    public Tunnel tunnelTo(int port) {
        return patiently(() -> connection.tunnelTo(port));
    }

    @Override
    public Tunnel tunnelFrom(int port) {
        return patiently(() -> connection.tunnelFrom(port));
    }

    @Override
    public boolean accepts(URI server) {
        if (!connection.isApart()) {
            return Host.super.accepts(server);
        }
        HttpTarget there = HttpTarget.of(server);
        return patiently(() -> connection.reaches(there.host(), there.port()));
    }

    @Override
    public SystemInformation systemInformation() {
        return LinuxSystemInformation.parse(name(), verb(QUICK, "system").text());
    }

    /** Returns how far the host's clock is ahead of this machine's, and how uncertain that is. */
    public ClockOffset clockOffset() {
        ClockOffset best = null;
        for (int i = 0; i < 5; i++) {
            Instant before = Instant.now();
            long began = System.nanoTime();
            String answer = connection.exec("date +%s.%N", QUICK).text().trim();
            Duration took = Duration.ofNanos(System.nanoTime() - began);
            if (!answer.matches("\\d+\\.\\d+")) {
                throw new HostException(name() + " does not tell its time: " + answer);
            }
            String[] parts = answer.split("\\.");
            Instant there = Instant.ofEpochSecond(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
            Duration offset = Duration.between(before.plus(took.dividedBy(2)), there);
            if (best == null || took.dividedBy(2).compareTo(best.uncertainty()) < 0) {
                best = new ClockOffset(offset, took.dividedBy(2));
            }
        }
        return best;
    }

    /**
     * Removes everything that was put on the host and stops what still runs of it.
     *
     * @param force whether to do so although another orchestrator holds the host
     * @return what was done, in words
     * @throws HostException if another orchestrator holds the host, or the directory is not ours
     */
    public String clean(boolean force) {
        HostConnection.Exec cleaned = verb(Duration.ofSeconds(60), "clean", work, force ? "yes" : "no");
        if (cleaned.status() == HELD_BY_ANOTHER) {
            throw new HostException(name() + " is in use: " + cleaned.text().trim() + "; it was left as it is");
        }
        if (cleaned.status() != 0) {
            throw new HostException(name() + ": " + cleaned.errorOutput().trim());
        }
        locked = false;
        return cleaned.text().trim();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        heart.shutdownNow();
        try {
            if (locked && !lost) {
                // At once for all that carries the mark of the run: a long run has started thousands of processes.
                verb(Duration.ofSeconds(60), "release", work, run);
            }
        } catch (HostException e) {
            notes.accept("what runs on " + name() + " could not be stopped (" + e.getMessage() + "); 'hosts clean'"
                    + " removes what is left there");
        } finally {
            connection.close();
        }
    }

    @Override
    public @Nullable String toString() {
        return name() + " (" + address() + ")";
    }
}
