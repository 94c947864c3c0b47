/* SPDX-License-Identifier: Apache-2.0 */

import static us.abstracta.jmeter.javadsl.JmeterDsl.httpSampler;
import static us.abstracta.jmeter.javadsl.JmeterDsl.responseAssertion;
import static us.abstracta.jmeter.javadsl.JmeterDsl.testPlan;
import static us.abstracta.jmeter.javadsl.JmeterDsl.threadGroup;

import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;

import com.sun.management.OperatingSystemMXBean;
import org.apache.http.entity.ContentType;
import org.apache.jmeter.assertions.ResponseAssertion;
import org.apache.jmeter.control.LoopController;
import org.apache.jmeter.engine.StandardJMeterEngine;
import org.apache.jmeter.engine.util.NoThreadClone;
import org.apache.jmeter.protocol.http.control.Header;
import org.apache.jmeter.protocol.http.control.HeaderManager;
import org.apache.jmeter.protocol.http.sampler.HTTPSamplerProxy;
import org.apache.jmeter.reporters.ResultCollector;
import org.apache.jmeter.samplers.SampleEvent;
import org.apache.jmeter.samplers.SampleListener;
import org.apache.jmeter.testelement.AbstractTestElement;
import org.apache.jmeter.testelement.TestElement;
import org.apache.jmeter.testelement.TestPlan;
import org.apache.jmeter.threads.ThreadGroup;
import org.apache.jmeter.util.JMeterUtils;
import org.apache.jorphan.collections.HashTree;
import org.apache.jorphan.collections.ListedHashTree;
import us.abstracta.jmeter.javadsl.core.engines.JmeterEnvironment;
import us.abstracta.jmeter.javadsl.core.listeners.BaseListener;
import us.abstracta.jmeter.javadsl.http.DslHttpSampler;

import io.gatebench.echo.EchoServer;
import io.gatebench.echo.EchoServerConfig;
import io.gatebench.echo.ResponseDelay;
import io.gatebench.load.JMeterLoadDriver;
import io.gatebench.load.SharedLoad;
import io.gatebench.load.engine.HttpClientKind;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadProgress;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.load.engine.stats.Sample;
import io.gatebench.load.engine.stats.SampleRecorder;
import io.gatebench.model.DataSize;
import io.gatebench.model.LoadResult;
import io.gatebench.model.MessageLevel;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseCheck;
import io.gatebench.model.ResponseTimes;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TestTiming;
import io.gatebench.model.TokenKind;

/** One contestant in a JVM of its own; prints requests per second, CPU microseconds per request and errors of the window. */
final class LoadBench {

    private static final int BYTES = 1024;

    private LoadBench() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "serve" -> {
                serve(
                        Integer.parseInt(arguments[1]),
                        Duration.ofMillis(Long.parseLong(arguments[2])),
                        arguments.length > 3 && arguments[3].equals("tls"));
                return;
            }
            case "recording" -> {
                recording();
                return;
            }
            default -> {
                // The others load a target.
            }
        }
        URI target = URI.create(arguments[1]);
        int users = Integer.parseInt(arguments[2]);
        Duration warmUp = Duration.ofSeconds(Long.parseLong(arguments[3]));
        Duration window = Duration.ofSeconds(Long.parseLong(arguments[4]));
        switch (arguments[0]) {
            case "plain" -> plain(target, users, warmUp, window);
            case "dsl" -> dsl(target, users, warmUp, window);
            case "memory" -> memory(target, users, window);
            case "turns" -> turns(target, users, warmUp, window, Integer.parseInt(arguments[5]));
            case "closed" -> times(LoadModel.closed(), target, users, warmUp, window);
            case "merge" -> merge(target, window);
            case "open" ->
                times(LoadModel.constantRate(Double.parseDouble(arguments[5])), target, users, warmUp, window);
            case "think" ->
                times(
                        LoadModel.closed().withThinkTime(Duration.ofMillis(Long.parseLong(arguments[5]))), target,
                        users, warmUp, window);
            default -> {
                HttpClientKind client = HttpClientKind.valueOf(arguments[0].toUpperCase(Locale.ROOT));
                LoadResult run = ours(client, false, target, users, warmUp, window);
                print(run.measurement().get(0).samples(), run.measurement().get(0).errors(), cpuSeconds(run, window), window);
            }
        }
        System.exit(0);
    }

    /** Serves, and says every tenth of a second how many requests it has seen. */
    private static void serve(int port, Duration delay, boolean tls) throws Exception {
        EchoServer server = EchoServer.start(EchoServerConfig.builder()
                .host("127.0.0.1")
                .port(port)
                .ssl(tls)
                .delay(delay.isZero() ? ResponseDelay.none() : ResponseDelay.fixed(delay))
                .noAdmin()
                .build());
        Thread counter = new Thread(() -> {
            try {
                while (true) {
                    System.out.println("COUNT " + System.nanoTime() / 1_000_000 + " " + server.stats().requests());
                    Thread.sleep(100);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        counter.setDaemon(true);
        counter.start();
        server.awaitClosed();
    }

    /** Prints the CPU time of recording one sample, on all processors at once, samples made in the same loop. */
    private static void recording() throws Exception {
        int processors = Runtime.getRuntime().availableProcessors();
        long each = 20_000_000;
        for (int round = 0; round < 4; round++) {
            for (boolean recording : new boolean[] {false, true}) {
                long begun = System.nanoTime();
                SampleRecorder recorder = new SampleRecorder(begun, Duration.ofSeconds(1), Duration.ofMinutes(10));
                LongAdder made = new LongAdder();
                long cpu = cpu();
                List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < processors; i++) {
                    Thread thread = new Thread(() -> {
                        SplittableRandom random = new SplittableRandom(7);
                        long sum = 0;
                        for (long n = 0; n < each; n++) {
                            long elapsed = 1_000_000 + random.nextInt(30_000_000);
                            Sample sample = new Sample(
                                    begun + n * 10_000, elapsed, elapsed - 1000, -1, 1100, 1200, null);
                            if (recording) {
                                recorder.record("echo", sample);
                            }
                            sum += sample.latencyNanos();
                        }
                        made.add(sum & 1);
                    });
                    thread.start();
                    threads.add(thread);
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                System.out.printf(
                        Locale.ROOT, "round %d %s: %.1f ns of CPU per sample on %d threads (%d recorded)%n", round,
                        recording ? "recorded" : "made alone", (cpu() - cpu) * 1.0 / (each * processors), processors,
                        recorder.samples());
            }
        }
    }

    private static long cpu() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static DslHttpSampler sampler(URI target) {
        byte[] body = Payloads.create(PayloadKind.JSON_ARRAY, MessageLevel.bytes(BYTES));
        return httpSampler(target.toString())
                .post(new String(body, StandardCharsets.US_ASCII), ContentType.APPLICATION_JSON)
                .children(responseAssertion().containsSubstrings(BYTES + "B"));
    }

    /** Prints percentiles of the window in milliseconds, and those corrected for coordinated omission. */
    private static void times(LoadModel model, URI target, int users, Duration warmUp, Duration window)
            throws Exception {
        LoadResult run = new JMeterLoadDriver()
                .run(
                        request(HttpClientKind.FAST, target, users, warmUp, window).withModel(model),
                        Files.createTempDirectory("load-bench"),
                        LoadProgress.none());
        ResponseTimes raw = run.measurement().get(0).all();
        System.out.printf(
                Locale.ROOT, "TIMES %.2f %.2f %.2f %s%n", raw.p50Millis(), raw.p99Millis(), raw.p999Millis(),
                run.corrected()
                        .map(c -> c.perLabel().values().iterator().next().p99Millis())
                        .map(p99 -> String.format(Locale.ROOT, "%.2f", p99))
                        .orElse("-"));
    }

    private static LoadResult ours(
            HttpClientKind client, boolean held, URI target, int users, Duration warmUp, Duration window)
            throws Exception {
        LoadRequest request = request(client, target, users, warmUp, window);
        return new JMeterLoadDriver()
                .run(
                        held ? holding(request) : request,
                        Files.createTempDirectory("load-bench"),
                        LoadProgress.none());
    }

    /**
     * Measures with and without holding whole bodies in turns, in one process, so that a machine that drifts and a compiler
     * that decides otherwise in another start change both alike.
     */
    private static void turns(URI target, int users, Duration warmUp, Duration window, int rounds) throws Exception {
        ours(HttpClientKind.FAST, false, target, users, warmUp, Duration.ofSeconds(1));
        ours(HttpClientKind.FAST, true, target, users, warmUp, Duration.ofSeconds(1));
        for (int round = 1; round <= rounds; round++) {
            for (int turn = 0; turn < 4; turn++) {
                // A B B A, then B A A B: what grows or shrinks with time falls out of the pairs.
                boolean held = (turn == 1 || turn == 2) == (round % 2 == 1);
                LoadResult run = ours(HttpClientKind.FAST, held, target, users, Duration.ofMillis(500), window);
                long samples = run.measurement().get(0).samples();
                System.out.printf(
                        Locale.ROOT, "TURN %d %s %.0f %.3f %d%n", round, held ? "held" : "free",
                        samples / (window.toMillis() / 1e3), cpuSeconds(run, window) * 1e6 / samples,
                        run.measurement().get(0).errors());
            }
        }
    }

    private static double cpuSeconds(LoadResult run, Duration window) {
        return run.health().cpuOfMachinePercent().value().orElseThrow() / 100
                * Runtime.getRuntime().availableProcessors() * window.toMillis() / 1e3;
    }

    /** Holds the whole body of every answer to its request, mark included. */
    private static LoadRequest holding(LoadRequest request) {
        ResponseCheck whole = request.scenario().check().withBody(ResponseCheck.Body.echo());
        return LoadRequest.of(
                        request.scenario().withCheck(whole), request.target(), request.testCase(), request.timing())
                .withClient(request.client());
    }

    private static LoadRequest request(
            HttpClientKind client, URI target, int users, Duration warmUp, Duration window) {
        TestScenario scenario = new TestScenario(
                "echo", "Echo", "Echo", false, "POST", "/", Map.of(), PayloadKind.JSON_ARRAY, TokenKind.NONE,
                ResponseCheck.okContaining("{size}B"), List.of());
        TestCase testCase =
                new TestCase("echo", DataSize.parse("1G"), users, MessageLevel.bytes(BYTES), Duration.ZERO);
        return LoadRequest.of(
                        scenario, target, testCase, new TestTiming(warmUp.plus(window), warmUp, Duration.ZERO))
                // The certificate of the echo is made at its start.
                .withTrust(Trust.everything())
                .withClient(client);
    }

    /** Prints the heap after a full collection, ten times in a load of that length. */
    private static void memory(URI target, int users, Duration length) throws Exception {
        Thread sampler = new Thread(() -> {
            try {
                for (int i = 1; i <= 10; i++) {
                    Thread.sleep(length.toMillis() / 10 - 200);
                    System.gc();
                    System.out.printf(
                            Locale.ROOT, "after %d s: %.1f MiB%n", length.toSeconds() * i / 10,
                            (Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory()) / 1048576.0);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        sampler.start();
        LoadResult run = ours(HttpClientKind.FAST, false, target, users, Duration.ofSeconds(1), length);
        System.out.printf(Locale.ROOT, "samples %d%n", run.measurement().get(0).samples());
    }

    /** Merges what up to a hundred load generators would send, which all took what two real loads, one of few and one of many samples, took. */
    private static void merge(URI target, Duration window) throws Exception {
        LoadRequest few = request(HttpClientKind.FAST, target, 1, Duration.ZERO, window)
                .withModel(LoadModel.constantRate(20));
        LoadRequest many = request(HttpClientKind.FAST, target, 16, Duration.ZERO, window);
        com.sun.management.ThreadMXBean threads =
                (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (LoadRequest request : List.of(few, many)) {
            Path directory = Files.createTempDirectory("load-bench");
            LoadResult one = new JMeterLoadDriver().run(request, directory, LoadProgress.none());
            Path outcome = directory.resolve(JMeterLoadDriver.OUTCOME_FILE);
            long samples = one.measurement().get(0).samples();
            for (int pods : List.of(1, 1, 10, 30, 100)) {
                List<Long> nanos = new ArrayList<>();
                long allocated = 0;
                for (int i = 0; i < 5; i++) {
                    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
                    long began = System.nanoTime();
                    SharedLoad.merge(
                            request, java.util.Collections.nCopies(pods, outcome),
                            Files.createTempDirectory("load-bench"));
                    nanos.add(System.nanoTime() - began);
                    allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - bytes;
                }
                nanos.sort(null);
                System.out.printf(
                        Locale.ROOT, "MERGE pods %d samples %d outcome %d KiB, %d ms, allocated %.1f MiB%n", pods,
                        pods * samples, Files.size(outcome) >> 10, nanos.get(2) / 1_000_000, allocated / 1048576.0);
            }
        }
    }

    /** Takes count and CPU time between the end of the warm-up, which begins with the first sample, and the end of the window. */
    private static final class Window {
        private final LongAdder samples = new LongAdder();
        private final LongAdder errors = new LongAdder();

        private Thread watch(Duration warmUp, Duration window) {
            Thread thread = new Thread(() -> {
                OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
                try {
                    while (samples.sum() == 0) {
                        Thread.sleep(1);
                    }
                    Thread.sleep(warmUp.toMillis());
                    long cpu = system.getProcessCpuTime();
                    long before = samples.sum();
                    long errorsBefore = errors.sum();
                    Thread.sleep(window.toMillis());
                    print(
                            samples.sum() - before, errors.sum() - errorsBefore,
                            (system.getProcessCpuTime() - cpu) / 1e9, window);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            // A load that could not begin ends the program.
            thread.setDaemon(true);
            thread.start();
            return thread;
        }
    }

    /** Counts samples; one instance serves all threads. */
    public static final class Counter extends AbstractTestElement implements SampleListener, NoThreadClone {
        private transient Window window;

        public Counter() {}

        private Counter(Window window) {
            this.window = window;
            setName("counter");
            setProperty(TestElement.TEST_CLASS, Counter.class.getName());
        }

        @Override
        public Object clone() {
            Counter copy = (Counter) super.clone();
            copy.window = window;
            return copy;
        }

        @Override
        public void sampleOccurred(SampleEvent event) {
            window.samples.increment();
            if (!event.getResult().isSuccessful()) {
                window.errors.increment();
            }
        }

        @Override
        public void sampleStarted(SampleEvent event) {}

        @Override
        public void sampleStopped(SampleEvent event) {}
    }

    /** JMeter as {@code jmeter -n -t plan -l file.jtl} runs it: HttpClient 4 with connections kept, CSV of every sample. */
    private static void plain(URI target, int users, Duration warmUp, Duration window) throws Exception {
        new JmeterEnvironment();
        // The settings of the predecessor; without them JMeter opens a connection per sample.
        JMeterUtils.setProperty("httpclient.reset_state_on_thread_group_iteration", "false");
        JMeterUtils.setProperty("httpclient4.time_to_live", "3600000");
        HTTPSamplerProxy sampler = new HTTPSamplerProxy("HttpClient4");
        sampler.setName("echo");
        sampler.setProtocol(target.getScheme());
        sampler.setDomain(target.getHost());
        sampler.setPort(target.getPort());
        sampler.setPath("/");
        sampler.setMethod("POST");
        sampler.setUseKeepAlive(true);
        sampler.setPostBodyRaw(true);
        sampler.addNonEncodedArgument(
                "", new String(Payloads.create(PayloadKind.JSON_ARRAY, MessageLevel.bytes(BYTES)), StandardCharsets.US_ASCII),
                "");
        HeaderManager headers = new HeaderManager();
        headers.add(new Header("Content-Type", "application/json"));
        ResponseAssertion assertion = new ResponseAssertion();
        assertion.setTestFieldResponseData();
        assertion.setToSubstringType();
        assertion.addTestString(BYTES + "B");
        ResultCollector collector = new ResultCollector();
        collector.setFilename(Files.createTempDirectory("plain").resolve("samples.jtl").toString());
        LoopController loop = new LoopController();
        loop.setLoops(-1);
        loop.setFirst(true);
        loop.initialize();
        ThreadGroup group = new ThreadGroup();
        group.setName("users");
        group.setNumThreads(users);
        group.setRampUp(0);
        group.setSamplerController(loop);
        group.setScheduler(true);
        group.setDuration(warmUp.plus(window).plusSeconds(1).toSeconds());
        Window counted = new Window();
        HashTree tree = new ListedHashTree();
        HashTree groupTree = tree.add(new TestPlan("plain")).add(group);
        groupTree.add(headers);
        groupTree.add(sampler).add(assertion);
        groupTree.add(collector);
        groupTree.add(new Counter(counted));
        StandardJMeterEngine engine = new StandardJMeterEngine();
        engine.configure(tree);
        Thread watch = counted.watch(warmUp, window);
        engine.run();
        watch.join();
    }

    /** The stock engine of jmeter-java-dsl. */
    private static void dsl(URI target, int users, Duration warmUp, Duration window) throws Exception {
        Window counted = new Window();
        Thread watch = counted.watch(warmUp, window);
        testPlan(threadGroup(
                        users, warmUp.plus(window).plusSeconds(1),
                        sampler(target),
                        new BaseListener("counter", null) {
                            @Override
                            protected TestElement buildTestElement() {
                                return new Counter(counted);
                            }
                        }))
                .run();
        watch.join();
    }

    private static void print(long samples, long errors, double cpuSeconds, Duration window) {
        System.out.printf(
                Locale.ROOT, "RESULT %.0f %.2f %d%n", (double) samples / window.toSeconds(),
                cpuSeconds * 1e6 / samples, errors);
    }
}
