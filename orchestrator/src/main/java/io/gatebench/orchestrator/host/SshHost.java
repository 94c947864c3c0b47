/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.host;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import io.gatebench.model.SystemInformation;

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
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(10);
    private static final Duration TRANSFER = Duration.ofMinutes(30);
    private static final int HELD_BY_ANOTHER = 75;
    private static final int LOWEST_PORT = 20_000;
    private static final int HIGHEST_PORT = 29_999;
    private static final String SCRIPT = script();

    private final SshTarget target;
    private final SshSettings settings;
    private final String run;
    private final SshConnection connection;
    private final Consumer<String> notes;
    private final Map<String, String> facts;
    private final String work;
    private final String address;
    private final Queue<SshProcess> started = new ConcurrentLinkedQueue<>();
    private final Set<Integer> handedOut = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService heart;
    private volatile boolean locked;
    private volatile boolean lost;
    private volatile boolean closed;
    private volatile String java;
    private volatile int installedVersion;
    /** Once given up, a host is asked once per operation: the patience is not spent anew for each. */
    private volatile boolean abandoned;

    private SshHost(
            SshTarget target,
            SshSettings settings,
            String run,
            SshConnection connection,
            Consumer<String> notes,
            Map<String, String> facts) {
        this.target = target;
        this.settings = settings;
        this.run = run;
        this.connection = connection;
        this.notes = notes;
        this.facts = Map.copyOf(facts);
        this.work = target.workDirectory().orElseGet(() -> facts.getOrDefault("home", "/tmp") + "/.gatebench");
        this.address = target.roleAddress().orElse(connection.hostName());
        this.java = facts.getOrDefault("java", "");
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
        if (!run.matches("[A-Za-z0-9-]+")) {
            throw new IllegalArgumentException("a run has letters, digits and dashes only but was '" + run + "'");
        }
        SshConnection connection = new SshConnection(target, settings);
        try {
            SshConnection.Exec info =
                    connection.exec(command("info", target.java().orElse("")), QUICK);
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

    private static String script() {
        try (InputStream in = SshHost.class.getResourceAsStream("host.sh")) {
            if (in == null) {
                throw new IllegalStateException("the program was packed without host.sh");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read host.sh of this program", e);
        }
    }

    private static String quote(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    private static String command(String... words) {
        return "exec /bin/sh -c " + quote(SCRIPT) + " gatebench "
                + Arrays.stream(words).map(SshHost::quote).collect(Collectors.joining(" "));
    }

    /**
     * Takes the work directory for this run, stops what an earlier run left there, and starts the guard.
     *
     * @param owner who holds it from now on, with the time, for the message that another orchestrator gets
     * @throws HostException if another run holds it, or it cannot be written
     */
    public void lock(String owner) {
        SshConnection.Exec taken = patiently(() -> connection.exec(
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
        locked = true;
        long period = Math.max(1000, settings.lease().toMillis() / 6);
        heart.scheduleWithFixedDelay(this::renew, period, period, TimeUnit.MILLISECONDS);
        target.installJava().ifPresent(this::installJava);
    }

    private void renew() {
        try {
            SshConnection.Exec renewed = connection.exec(command("renew", work, run), QUICK);
            if (renewed.status() != 0 && !closed) {
                lost = true;
                notes.accept("the lease of " + name() + " is over: its processes were stopped there");
                heart.shutdown();
            }
        } catch (HostException e) {
            // The next turn tries again; whether the host may be silent for so long is for its users to say.
            if (!closed) {
                org.slf4j.LoggerFactory.getLogger(SshHost.class).debug("{}", e.getMessage());
            }
        }
    }

    private void installJava(Path archive) {
        String there = upload(archive, work + "/cache/" + sum(archive) + ".tar.gz");
        SshConnection.Exec unpacked =
                patiently(() -> connection.exec(command("unpack", work, sum(archive), there), TRANSFER));
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
    private <T> T patiently(Supplier<T> operation) {
        Instant since = null;
        while (true) {
            if (lost) {
                throw new HostException("the lease of " + name() + " is over: it could not be reached for longer than "
                        + settings.lease().toSeconds() + " s, and its processes were stopped there");
            }
            try {
                T result = operation.get();
                if (since != null) {
                    notes.accept(name() + " is reached again after "
                            + Duration.between(since, Instant.now()).toSeconds() + " s");
                    abandoned = false;
                }
                return result;
            } catch (HostUnreachableException e) {
                if (since == null) {
                    since = Instant.now();
                    notes.accept(e.getMessage());
                }
                if (abandoned || Duration.between(since, Instant.now()).compareTo(settings.patience()) >= 0) {
                    abandoned = true;
                    throw new HostUnreachableException(
                            name() + " could not be reached for "
                                    + Duration.between(since, Instant.now()).toSeconds()
                                    + " s; what runs there stops by itself "
                                    + settings.lease().toSeconds() + " s after the last sign of life",
                            e);
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(1000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new HostException("interrupted while a host was waited for", e);
        }
    }

    /** Runs a verb of the script; it must bear to be run twice. */
    SshConnection.Exec verb(Duration timeout, String... words) {
        return patiently(() -> connection.exec(command(words), timeout));
    }

    /** Runs a verb of the script without waiting for an unreachable host. */
    SshConnection.Exec verbNow(Duration timeout, String... words) {
        return connection.exec(command(words), timeout);
    }

    void note(String text) {
        notes.accept(text);
    }

    SshSettings settings() {
        return settings;
    }

    boolean isLost() {
        return lost;
    }

    @Override
    public String name() {
        return target.name();
    }

    @Override
    public String address() {
        return address;
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
        String sum = sum(file);
        boolean secret = path.contains("/secrets/");
        for (int attempt = 0; ; attempt++) {
            SshConnection.Exec answer = verb(TRANSFER, "receive", work, sum, path);
            String text = answer.text().trim();
            if (answer.status() == 0 && text.equals("there")) {
                return path;
            }
            if (answer.status() != 0 || !text.matches("\\d+")) {
                throw new HostException(name() + " cannot take " + file + ": "
                        + answer.errorOutput().trim());
            }
            send(file, sum, Long.parseLong(text));
            SshConnection.Exec received = verb(TRANSFER, "received", work, sum, path, secret ? "secret" : "public");
            if (received.status() == 0) {
                return path;
            }
            if (attempt == 2) {
                throw new HostException(name() + " did not take " + file + " unharmed in three attempts: "
                        + received.errorOutput().trim());
            }
        }
    }

    private void send(Path file, String sum, long offset) {
        SshConnection.Exec sent = patiently(() -> {
            // How much has arrived before the connection broke is asked anew.
            SshConnection.Exec answer = connection.exec(command("receive", work, sum, work + "/none"), TRANSFER);
            long from = answer.text().trim().matches("\\d+")
                    ? Long.parseLong(answer.text().trim())
                    : offset;
            try (FileChannel channel = FileChannel.open(file);
                    InputStream in = Channels.newInputStream(channel.position(Math.min(from, channel.size())))) {
                return connection.exec(
                        command("append", work, sum, String.valueOf(from)),
                        in,
                        OutputStream.nullOutputStream(),
                        TRANSFER);
            } catch (IOException e) {
                throw new HostException("cannot read " + file + ": " + SshConnection.reason(e), e);
            }
        });
        if (sent.status() != 0) {
            throw new HostException(name() + " cannot store " + file.getFileName() + ": "
                    + sent.errorOutput().trim());
        }
    }

    private static String sum(Path file) {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            digest.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (IOException e) {
            throw new HostException("cannot read " + file + ": " + SshConnection.reason(e), e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public void download(String directory, Path target) {
        SshConnection.Exec listed = verb(QUICK, "list", directory);
        for (String line : listed.text().lines().toList()) {
            String[] words = line.split(" ", 3);
            if (words.length < 3 || !words[2].startsWith("./")) {
                continue;
            }
            Path file = target.resolve(words[2].substring(2)).normalize();
            if (!file.startsWith(target.normalize())) {
                throw new HostException(name() + " has a file outside of " + directory + ": " + words[2]);
            }
            fetch(directory + "/" + words[2].substring(2), file, Long.parseLong(words[0]), Long.parseLong(words[1]));
        }
    }

    private void fetch(String path, Path file, long size, long modified) {
        try {
            FileTime time = FileTime.from(Instant.ofEpochSecond(modified));
            if (Files.isRegularFile(file)
                    && Files.size(file) == size
                    && Files.getLastModifiedTime(file).toInstant().getEpochSecond() == modified) {
                return;
            }
            Files.createDirectories(file.getParent());
            Path part = file.resolveSibling(file.getFileName() + ".part");
            Files.deleteIfExists(part);
            patiently(() -> append(path, part, size));
            Files.setLastModifiedTime(part, time);
            Files.move(part, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new HostException("cannot store " + file + " of " + name() + ": " + SshConnection.reason(e), e);
        }
    }

    /** Goes on where an earlier attempt broke off; logs only grow, so that the first part stays what it was. */
    private Void append(String path, Path part, long size) {
        try {
            long have = Files.exists(part) ? Files.size(part) : 0;
            if (have < size) {
                String script = "tail -c \"+$(($2 + 1))\" \"$1\" | head -c \"$3\"";
                String line =
                        "exec /bin/sh -c " + quote(script) + " sh " + quote(path) + " " + have + " " + (size - have);
                try (OutputStream out =
                        Files.newOutputStream(part, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                    connection.exec(line, new ByteArrayInputStream(new byte[0]), out, TRANSFER);
                }
            } else if (!Files.exists(part)) {
                Files.createFile(part);
            }
            if (Files.size(part) < size) {
                throw new HostUnreachableException(
                        "only " + Files.size(part) + " of " + size + " bytes of " + path + " came from " + name());
            }
            return null;
        } catch (IOException e) {
            throw new HostException("cannot store " + part + ": " + SshConnection.reason(e), e);
        }
    }

    @Override
    public CommandResult run(List<String> command, Duration timeout) {
        List<String> words =
                new ArrayList<>(List.of("timeout", "-k", "2", String.valueOf(timeout.toMillis() / 1000.0)));
        words.addAll(command);
        String line = words.stream().map(SshHost::quote).collect(Collectors.joining(" "));
        SshConnection.Exec ended = connection.exec(line, timeout.plus(QUICK));
        if (ended.status() == 124) {
            throw new HostException(command.get(0) + " did not end within " + timeout.toSeconds() + " s on " + name()
                    + " and was stopped");
        }
        return new CommandResult(ended.status(), ended.text(), ended.errorOutput());
    }

    @Override
    public HostProcess start(ProcessSpec spec) {
        if (!locked) {
            throw new IllegalStateException(name() + " was not locked: a process would have no guard");
        }
        String role = run + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong());
        List<String> words = new ArrayList<>(List.of("start", work, run, role, spec.directory(), "env"));
        spec.environment().forEach((key, value) -> words.add(key + "=" + value));
        words.addAll(spec.command());
        SshConnection.Exec begun = verb(QUICK, words.toArray(String[]::new));
        String pid = begun.text().trim();
        if (begun.status() != 0 || !pid.matches("\\d+")) {
            throw new HostException(name() + " cannot start " + spec.name() + ": "
                    + (begun.errorOutput().isBlank()
                            ? "it says nothing"
                            : begun.errorOutput().trim()));
        }
        SshProcess process = new SshProcess(this, spec, role, Long.parseLong(pid));
        started.add(process);
        return process;
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
        SshConnection.Exec tables =
                patiently(() -> connection.exec("cat /proc/net/tcp /proc/net/tcp6 2>/dev/null || true", QUICK));
        return tables.text()
                .lines()
                .map(line -> line.trim().split("\\s+"))
                .filter(words -> words.length > 3 && words[3].equals("0A"))
                .map(words -> Integer.parseInt(words[1].substring(words[1].lastIndexOf(':') + 1), 16))
                .collect(Collectors.toSet());
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
        SshConnection.Exec cleaned = verb(Duration.ofSeconds(60), "clean", work, force ? "yes" : "no");
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
                started.forEach(process -> process.stop(CLOSE_GRACE));
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
        return name() + " (" + address + ")";
    }
}
