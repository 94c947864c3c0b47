/* SPDX-License-Identifier: Apache-2.0 */

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the echo back end with its peers in alternating runs; see README.md beside this file.
 *
 * <p>The server has the first processor, the load tool the last one. The figure to trust is the server's processor time
 * per request; requests per second are those of a saturated load tool.
 */
public final class EchoBench {

    private static final Path DIR = Path.of(System.getProperty("bench.dir"));
    private static final String JAR = System.getProperty("bench.jar");
    private static final String PEER_CLASSPATH = System.getProperty("bench.peer");
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    /** The Java that runs our server, where it is to be another than the one that runs this. */
    private static final String SERVER_JAVA = System.getProperty("bench.java", JAVA);
    private static final int CPUS = Runtime.getRuntime().availableProcessors();
    private static final String LOAD_CPU = Integer.toString(CPUS - 1);
    private static final String HEAP = "-Xmx512m";

    /** The share of the processors from which on others count as a disturbance, and how often is then tried. */
    private static final double DISTURBED = 0.1;

    private static final int ATTEMPTS = 3;

    private static final List<Server> running = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> running.forEach(Server::stop)));
        int seconds = Integer.getInteger("bench.seconds", 3);
        int rounds = Integer.getInteger("bench.rounds", 3);
        switch (args.length == 0 ? "" : args[0]) {
            case "http1" -> http1(Integer.parseInt(args[1]), seconds, rounds);
            case "http2" -> http2(seconds, rounds);
            case "delay" -> delay(
                    args.length > 1 ? new int[] {Integer.parseInt(args[1])} : new int[] {30, 500, 1000},
                    args.length > 2 ? new int[] {Integer.parseInt(args[2])} : new int[] {50, 200, 1000},
                    seconds,
                    rounds);
            case "soak" -> soak(args.length > 1 ? Integer.parseInt(args[1]) : 150);
            default -> System.err.println("usage: run http1 <bytes> | http2 | delay [ms [connections]] | soak [seconds]");
        }
    }

    // ---- what is compared

    private static void http1(int bytes, int seconds, int rounds) throws Exception {
        List<Server> servers = new ArrayList<>(List.of(
                baseline(0, false),
                echo("echo io_uring", "io_uring"),
                echo("echo epoll", "epoll"),
                echo("echo nio", "nio")));
        servers.add(current());
        Server epoll = epoll();
        if (epoll != null) {
            servers.add(epoll);
        }
        Server nginx = nginx(bytes, false);
        if (nginx != null) {
            servers.add(nginx);
        }
        for (Server server : servers) {
            wrk(server, 50, bytes, 6);
        }
        System.out.printf(Locale.ROOT, "HTTP/1.1 POST %d bytes, server on 1 processor, wrk on another%n", bytes);
        for (int connections : new int[] {50, 200, 1000}) {
            compare(servers, rounds, connections + " connections", server -> wrk(server, connections, bytes, seconds));
        }
    }

    private static void http2(int seconds, int rounds) throws Exception {
        Server baseline = baseline(0, true);
        Server echo = echo("echo io_uring", "io_uring", "--ssl", "--http2");
        Server epoll = echo("echo epoll", "epoll", "--ssl", "--http2");
        List<Server> servers = new ArrayList<>(List.of(baseline, echo, epoll));
        Server nginx = nginx(1024, true);
        if (nginx != null) {
            servers.add(nginx);
        }
        for (Server server : servers) {
            h2load(server, 1, 4, false);
            h2load(server, 20, 4, true);
        }
        System.out.println("POST 1024 bytes over TLS, 50 connections, server on 1 processor, h2load on another");
        compare(servers, rounds, "HTTP/1.1", server -> h2load(server, 1, seconds, false));
        compare(servers, rounds, "HTTP/2, 1 stream", server -> h2load(server, 1, seconds, true));
        compare(servers, rounds, "HTTP/2, 20 streams", server -> h2load(server, 20, seconds, true));
    }

    private static void delay(int[] delays, int[] sizes, int seconds, int rounds) throws Exception {
        System.out.println("Delay error (actual - asked) in ms, POST 1024 bytes, seen by wrk and by the server itself;"
                + " each connection waits 0 to the delay before its next request, so that they do not march in step");
        System.out.printf(
                Locale.ROOT, "%-16s %6s %6s %8s %8s %8s %10s %9s %9s %9s%n", "server", "delay", "conns", "p50", "p99", "max",
                "us/req", "p99 ratio", "us ratio", "others");
        for (int delay : delays) {
            List<Server> servers = new ArrayList<>();
            servers.add(baseline(delay, false));
            servers.add(echo("echo io_uring", "io_uring", "--delay", delay + "ms"));
            servers.add(echo("echo epoll", "epoll", "--delay", delay + "ms"));
            String thinking = "function delay() return math.random(0, " + delay + ") end\n";
            for (Server server : servers) {
                // At full speed for the compiler's sake, then as it will be; the server counts delayed requests only.
                wrk(server, 200, 1024, 5, "/warm", "wrk.headers['echo-delay']='0'\n");
                wrk(server, 200, 1024, 2, "/echo", thinking);
            }
            for (int connections : sizes) {
                Map<Server, List<Result>> results = new LinkedHashMap<>();
                servers.forEach(server -> results.put(server, new ArrayList<>()));
                for (int round = 0; round < rounds; round++) {
                    for (int i = 0; i < servers.size(); i++) {
                        Server server = servers.get((round + i) % servers.size());
                        results.get(server)
                                .add(quietest(
                                        s -> wrk(s, connections, 1024, Math.max(seconds, 5), "/echo", thinking), server));
                    }
                    for (Server server : servers) {
                        Result first = results.get(servers.get(0)).get(round);
                        Result result = results.get(server).get(round);
                        System.out.printf(
                                Locale.ROOT,
                                "%-16s %6d %6d %8.2f %8.2f %8.2f %10.2f %9.2f %9.2f %8.0f%%%n",
                                server.name,
                                delay,
                                connections,
                                result.p50Micros / 1e3 - delay,
                                result.p99Error(delay),
                                result.maxMicros / 1e3 - delay,
                                result.cpuMicros,
                                result.p99Error(delay) / first.p99Error(delay),
                                result.cpuMicros / first.cpuMicros,
                                100 * result.foreign);
                    }
                }
                double base = median(results.get(servers.get(0)), result -> result.p99Error(delay));
                for (Server server : servers) {
                    double p99 = median(results.get(server), result -> result.p99Error(delay));
                    System.out.printf(
                            Locale.ROOT,
                            "%-16s %6d %6d   median of the rounds: p99 %.2f, ratio %.2f%n",
                            server.name,
                            delay,
                            connections,
                            p99,
                            p99 / base);
                }
            }
            for (Server server : servers) {
                if (server.name.startsWith("echo")) {
                    System.out.printf(
                            Locale.ROOT,
                            "%-16s %6d   says: p50 %.2f p99 %.2f max %.2f (all delayed requests since the start)%n",
                            server.name,
                            delay,
                            1e3 * metric(server, "echo_delay_error_seconds{quantile=\"0.5\"}"),
                            1e3 * metric(server, "echo_delay_error_seconds{quantile=\"0.99\"}"),
                            1e3 * metric(server, "echo_delay_error_seconds{quantile=\"1\"}"));
                }
                server.stop();
            }
        }
    }

    private static void soak(int seconds) throws Exception {
        Server server = echo("echo", "auto");
        wrk(server, 200, 1024, 5);
        System.out.println("second  requests  heap used (MiB)  collections");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        long start = System.nanoTime();
        while (System.nanoTime() < end) {
            wrk(server, 200, 1024, 10);
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                            Long.toString(server.process.pid()),
                            "GC.run")
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
            System.out.printf(
                    Locale.ROOT,
                    "%6d %9.0f %16.1f %12.0f%n",
                    (System.nanoTime() - start) / 1_000_000_000L,
                    metric(server, "echo_requests_total"),
                    metric(server, "jvm_heap_used_bytes") / (1 << 20),
                    metric(server, "jvm_gc_collections_total"));
        }
    }

    private interface Load {
        Result put(Server server) throws Exception;
    }

    private static void compare(List<Server> servers, int rounds, String title, Load load) throws Exception {
        Map<Server, List<Result>> results = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            // Each round begins with another server, since to be the first after a change of load is no advantage.
            for (int i = 0; i < servers.size(); i++) {
                Server server = servers.get((round + i) % servers.size());
                results.computeIfAbsent(server, s -> new ArrayList<>()).add(quietest(load, server));
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%n%-20s %9s %7s %8s %-24s %11s %9s %7s%n",
                title,
                "us/req",
                "ratio",
                "to nginx",
                "ratio of each round",
                "alloc B/req",
                "req/s",
                "others");
        double nginx = servers.stream()
                .filter(server -> server.name.startsWith("nginx"))
                .mapToDouble(server -> median(results.get(server), r -> r.cpuMicros))
                .findFirst()
                .orElse(Double.NaN);
        List<Result> first = results.get(servers.get(0));
        double base = median(first, r -> r.cpuMicros);
        servers.forEach(server -> {
            List<Result> list = results.get(server);
            StringBuilder each = new StringBuilder("[");
            for (int i = 0; i < list.size(); i++) {
                each.append(String.format(
                        Locale.ROOT, "%s%.2f", i == 0 ? "" : " ", list.get(i).cpuMicros / first.get(i).cpuMicros));
            }
            System.out.printf(
                    Locale.ROOT,
                    "%-20s %9.2f %7.2f %8.2f %-24s %11.0f %9.0f %6.0f%%%n",
                    server.name,
                    median(list, r -> r.cpuMicros),
                    median(list, r -> r.cpuMicros) / base,
                    median(list, r -> r.cpuMicros) / nginx,
                    each.append(']'),
                    median(list, r -> r.allocated),
                    median(list, r -> r.perSecond),
                    100 * list.stream().mapToDouble(Result::foreign).max().orElse(0));
        });
    }

    private static double median(List<Result> results, java.util.function.ToDoubleFunction<Result> value) {
        double[] sorted = results.stream().mapToDouble(value).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    /**
     * What the processors did while something was measured; figures that others have disturbed are not worth much.
     *
     * @param busyTicks of all processors, interrupts left out
     * @param ownTicks of this process and of the tools it has waited for
     */
    private record Processors(long nanos, long busyTicks, long ownTicks) {

        private static final double NANOS_PER_TICK = 1e7;

        static Processors now() throws IOException {
            String[] cpu = Files.readAllLines(Path.of("/proc/stat")).get(0).split(" +");
            long busy = Long.parseLong(cpu[1]) + Long.parseLong(cpu[2]) + Long.parseLong(cpu[3]) + Long.parseLong(cpu[8]);
            String[] self = Files.readString(Path.of("/proc/self/stat")).split(" ");
            long own = 0;
            for (int i = 13; i <= 16; i++) {
                own += Long.parseLong(self[i]);
            }
            return new Processors(System.nanoTime(), busy, own);
        }

        /** Returns the share of all processors that went to neither us, nor the tools, nor the server. */
        double foreignShareUntil(Processors end, long serverNanos) {
            double foreign = (end.busyTicks - busyTicks - (end.ownTicks - ownTicks)) * NANOS_PER_TICK - serverNanos;
            return Math.max(0, foreign / CPUS / (end.nanos - nanos));
        }
    }

    /** Measures again, a few times, what others have disturbed, and keeps the least disturbed. */
    private static Result quietest(Load load, Server server) throws Exception {
        Result best = null;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Result result = load.put(server);
            if (best == null || result.foreign < best.foreign) {
                best = result;
            }
            if (best.foreign <= DISTURBED) {
                break;
            }
        }
        return best;
    }

    private record Result(
            double foreign,
            double cpuMicros, double allocated, double perSecond, double p50Micros, double p99Micros, double maxMicros) {

        /** Returns by how many milliseconds the 99th percentile is above the delay that was asked for. */
        private double p99Error(int delay) {
            return p99Micros / 1e3 - delay;
        }
    }

    // ---- load

    private static Result wrk(Server server, int connections, int bytes, int seconds) throws Exception {
        return wrk(server, connections, bytes, seconds, "/echo", "");
    }

    private static Result wrk(Server server, int connections, int bytes, int seconds, String path, String lua)
            throws Exception {
        Path script = DIR.resolve("post-" + bytes + ".lua");
        Files.writeString(
                script,
                "wrk.method='POST' wrk.body=string.rep('x'," + bytes + ") wrk.headers['Content-Type']='application/json'\n"
                        + "function done(s,l,r) print('BENCH '..s.requests..' '..s.duration..' '..l:percentile(50)..' '"
                        + "..l:percentile(99)..' '..l.max..' '..(s.errors.connect+s.errors.read+s.errors.write"
                        + "+s.errors.status+s.errors.timeout)) end\n"
                        + lua);
        Processors start = Processors.now();
        long cpu = server.cpuNanos();
        double allocated = server.allocated();
        String out = run(
                "taskset", "-c", LOAD_CPU, "wrk", "-t1", "-c" + connections, "-d" + seconds + "s", "--timeout", "10s",
                "-s", script.toString(), "http://127.0.0.1:" + server.port + path);
        cpu = server.cpuNanos() - cpu;
        double foreign = start.foreignShareUntil(Processors.now(), cpu);
        allocated = server.allocated() - allocated;
        Matcher line = Pattern.compile("BENCH (\\S+) (\\S+) (\\S+) (\\S+) (\\S+) (\\S+)").matcher(out);
        if (!line.find() || Double.parseDouble(line.group(6)) > 0) {
            throw new IllegalStateException(server.name + " failed under wrk:\n" + out);
        }
        double requests = Double.parseDouble(line.group(1));
        return new Result(
                foreign,
                cpu / 1e3 / requests,
                allocated / requests,
                requests / Double.parseDouble(line.group(2)) * 1e6,
                Double.parseDouble(line.group(3)),
                Double.parseDouble(line.group(4)),
                Double.parseDouble(line.group(5)));
    }

    private static Result h2load(Server server, int streams, int seconds, boolean http2) throws Exception {
        Path body = DIR.resolve("body-1024");
        Files.write(body, new byte[1024]);
        Processors start = Processors.now();
        long cpu = server.cpuNanos();
        double allocated = server.allocated();
        List<String> command = new ArrayList<>(List.of(
                "taskset", "-c", LOAD_CPU, "h2load", "-t1", "-c50", "-m" + streams, "-D" + seconds, "-d",
                body.toString()));
        if (!http2) {
            command.add("--h1");
        }
        command.add("https://127.0.0.1:" + server.port + "/echo");
        String out = run(command.toArray(new String[0]));
        cpu = server.cpuNanos() - cpu;
        double foreign = start.foreignShareUntil(Processors.now(), cpu);
        allocated = server.allocated() - allocated;
        Matcher line = Pattern.compile("(\\d+) succeeded, (\\d+) failed").matcher(out);
        if (!line.find() || line.group(1).equals("0") || !line.group(2).equals("0")) {
            throw new IllegalStateException(server.name + " failed under h2load:\n" + out);
        }
        double requests = Double.parseDouble(line.group(1));
        return new Result(foreign, cpu / 1e3 / requests, allocated / requests, requests / seconds, 0, 0, 0);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(process.getInputStream().readAllBytes());
        process.waitFor();
        return out;
    }

    // ---- servers

    private static final class Server {
        final String name;
        final int port;
        final int adminPort;
        final Process process;

        Server(String name, int port, int adminPort, Process process) {
            this.name = name;
            this.port = port;
            this.adminPort = adminPort;
            this.process = process;
            running.add(this);
        }

        /** Processor time of the process and its children, of all their threads, in nanoseconds. */
        long cpuNanos() throws IOException {
            long sum = 0;
            List<ProcessHandle> all =
                    Stream.concat(Stream.of(process.toHandle()), process.descendants()).toList();
            for (ProcessHandle handle : all) {
                try (Stream<Path> tasks = Files.list(Path.of("/proc/" + handle.pid() + "/task"))) {
                    for (Path task : tasks.toList()) {
                        sum += Long.parseLong(
                                Files.readString(task.resolve("schedstat")).split(" ")[0]);
                    }
                }
            }
            return sum;
        }

        double allocated() throws Exception {
            return adminPort == 0 ? Double.NaN : metric(this, "jvm_allocated_bytes_total");
        }

        void stop() {
            process.descendants().forEach(ProcessHandle::destroy);
            process.destroy();
            try {
                process.waitFor(5, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Server echo(String name, String transport, String... options) throws Exception {
        int port = freePort();
        int admin = freePort();
        List<String> command = new ArrayList<>(List.of(
                "taskset", "-c", "0", SERVER_JAVA, HEAP, "-jar", JAR, "--host", "127.0.0.1", "--port", "" + port,
                "--admin-port", "" + admin, "--transport", transport));
        command.addAll(Arrays.asList(options));
        return ready(name, port, admin, command);
    }

    private static Server baseline(int delay, boolean tls) throws Exception {
        int port = freePort();
        int admin = freePort();
        List<String> command = new ArrayList<>(List.of(
                "taskset", "-c", "0", JAVA, HEAP, "-cp", PEER_CLASSPATH, "BaselineEcho", "" + port, "" + admin,
                "" + delay, "1"));
        if (tls) {
            Path store = DIR.resolve("baseline.p12");
            if (!Files.exists(store)) {
                run(
                        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(), "-genkeypair", "-alias",
                        "k", "-keyalg", "EC", "-groupname", "secp256r1", "-dname", "CN=localhost", "-storetype",
                        "PKCS12", "-keystore", store.toString(), "-storepass", "changeit");
            }
            command.addAll(List.of(store.toString(), "changeit"));
        }
        return ready("codec+aggregator", port, admin, command);
    }

    private static Server current() throws Exception {
        int port = freePort();
        return ready(
                "netty 4.2 epoll", port, 0,
                List.of(
                        "taskset", "-c", "0", JAVA, HEAP, "-cp", System.getProperty("bench.current"), "CurrentEcho",
                        "" + port));
    }

    private static Server epoll() throws Exception {
        Path program = DIR.resolve("epoll");
        if (!Files.isExecutable(program)) {
            System.out.println("there is no C compiler: bare C epoll is left out");
            return null;
        }
        int port = freePort();
        return ready("bare C epoll", port, 0, List.of("taskset", "-c", "0", program.toString(), "" + port));
    }

    private static Server nginx(int bytes, boolean tls) throws Exception {
        if (run("sh", "-c", "command -v nginx || true").isBlank()) {
            System.out.println("nginx is not installed: left out");
            return null;
        }
        int port = freePort();
        Path home = Files.createDirectories(DIR.resolve("nginx"));
        Path conf = home.resolve("nginx.conf");
        String listen = "listen 127.0.0.1:" + port + " backlog=4096" + (tls ? " ssl http2" : "");
        if (tls) {
            run(
                    "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                    "-subj", "/CN=localhost", "-keyout", home.resolve("key").toString(), "-out",
                    home.resolve("cert").toString());
            listen += "; ssl_certificate " + home.resolve("cert") + "; ssl_certificate_key " + home.resolve("key");
        }
        Files.writeString(
                conf,
                "worker_processes 1; daemon off; pid " + home.resolve("pid") + "; error_log stderr crit;\n"
                        + "events { worker_connections 4096; }\n"
                        + "http { access_log off; keepalive_requests 1000000000; client_body_temp_path " + home
                        + "/body; proxy_temp_path " + home + "/p; fastcgi_temp_path " + home + "/f; uwsgi_temp_path "
                        + home + "/u; scgi_temp_path " + home + "/s; client_body_buffer_size 64k;\n"
                        + "server { " + listen + "; location / { default_type"
                        + " application/json; return 200 '" + "x".repeat(Math.min(bytes, 3000)) + "'; } } }\n");
        return ready(
                tls ? "nginx TLS return 200" : "nginx return 200", port, 0,
                List.of("taskset", "-c", "0", "nginx", "-p", home.toString(), "-c", conf.toString()));
    }

    private static Server ready(String name, int port, int admin, List<String> command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(DIR.resolve(name.replace(' ', '-') + ".log").toFile())
                .start();
        Server server = new Server(name, port, admin, process);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(15);
        while (System.nanoTime() < deadline && process.isAlive()) {
            try (java.net.Socket socket = new java.net.Socket("127.0.0.1", port)) {
                return server;
            } catch (IOException e) {
                Thread.sleep(50);
            }
        }
        throw new IllegalStateException(name + " does not listen; see " + DIR);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static double metric(Server server, String name) throws Exception {
        String text = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.adminPort + "/metrics")).build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
        for (String line : text.split("\n")) {
            if (line.startsWith(name + " ")) {
                return Double.parseDouble(line.substring(name.length() + 1));
            }
        }
        throw new IllegalStateException("no metric " + name);
    }
}
