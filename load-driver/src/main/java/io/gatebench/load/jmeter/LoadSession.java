/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocketFactory;

import org.apache.jmeter.threads.JMeterContext;
import org.apache.jmeter.threads.JMeterContextService;
import org.apache.jmeter.threads.JMeterVariables;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.LoadModel;
import io.gatebench.load.engine.LoadRequest;
import io.gatebench.load.engine.http.HttpConnection;
import io.gatebench.load.engine.http.HttpRequestHead;
import io.gatebench.load.engine.http.HttpTarget;
import io.gatebench.load.engine.http.HttpTimeouts;
import io.gatebench.load.engine.http.ResponseDeadlines;
import io.gatebench.load.engine.http.ResponseVerifier;
import io.gatebench.load.engine.http.TlsSockets;
import io.gatebench.load.engine.payload.ExpectedAnswers;
import io.gatebench.load.engine.payload.Payloads;
import io.gatebench.load.engine.stats.Sample;
import io.gatebench.load.engine.stats.SampleRecorder;
import io.gatebench.load.engine.steps.CompiledSteps;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.PayloadKind;
import io.gatebench.model.ResponseExcerpt;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;

/**
 * State that all users of one test on one load generator share. Thread-safe.
 *
 * <p>The elements of a test plan all point to one session. It travels with the plan to a remote load generator, where
 * the session that was made there takes its place.
 */
public final class LoadSession implements Serializable {

    @Serial
    private static final long serialVersionUID = 1L;

    /** First failed answers that are kept. */
    static final int EXCERPTS = 10;

    private static final String USER = "gatebench.user";
    private static final long LATE_NANOS = 1_000_000L;
    /** A look at an idle connection takes one millisecond, and a thread may wake up late. */
    private static final long LOOK_AHEAD_NANOS = 10_000_000L;
    /** Each user reads a file at such a distance during the warm-up. */
    private static final long TELL_NANOS = 250_000_000L;

    private final RequestText request;
    private final transient @Nullable KeptConnections kept;
    private boolean answersKept;
    private transient volatile @Nullable Runtime runtime;

    /** Creates the session of a request; nothing is opened or read yet. */
    public LoadSession(LoadRequest request) {
        this(request, null);
    }

    /**
     * Creates the session of a request; nothing is opened or read yet.
     *
     * @param kept connections of loads before, which go on in this one, and to which its own go afterwards, or null
     */
    public LoadSession(LoadRequest request, @Nullable KeptConnections kept) {
        this.request = new RequestText(request);
        this.kept = kept;
    }

    /** Has results carry body and headers of their answers, for elements of JMeter that look at them; costs memory. */
    public LoadSession keepingAnswers() {
        answersKept = true;
        return this;
    }

    boolean keepsAnswers() {
        return answersKept;
    }

    /** On a remote load generator the plan that has come works for the test that waits for it there. */
    @Serial
    private Object readResolve() {
        return RemoteEngine.ofThisJvm().map(RemoteEngine::session).orElse(this);
    }

    /** Returns the request. */
    public LoadRequest request() {
        return request.value();
    }

    /** Returns the state of this JVM, made at the first call. */
    Runtime runtime() {
        Runtime existing = runtime;
        return existing == null ? made() : existing;
    }

    private synchronized Runtime made() {
        Runtime existing = runtime;
        if (existing == null) {
            existing = new Runtime(request.value(), kept);
            runtime = existing;
        }
        return existing;
    }

    /** The request in the form in which it travels. */
    private static final class RequestText implements Serializable {
        @Serial
        private static final long serialVersionUID = 1L;

        private final String json;
        private transient @Nullable LoadRequest value;

        private RequestText(LoadRequest value) {
            this.json = value.toJson();
            this.value = value;
        }

        private LoadRequest value() {
            LoadRequest known = value;
            if (known == null) {
                known = LoadRequest.fromJson(json);
                value = known;
            }
            return known;
        }
    }

    /** The living part of a session. */
    static final class Runtime implements AutoCloseable {

        final LoadRequest request;
        /** The scenario, or that of its first step alone. */
        final TestScenario scenario;
        /** Steps that users send in place of one request, or null. */
        final @Nullable CompiledSteps steps;

        final HttpTarget target;
        final HttpRequestHead head;
        final String path;
        final Map<String, String> headers;
        final List<byte[]> payloads;
        final ExpectedAnswers answers;
        final List<byte[]> tokens;
        final LongAdder connectionsOpened = new LongAdder();
        final AtomicInteger usersAtWork = new AtomicInteger();
        final AtomicInteger mostInFlight = new AtomicInteger();
        final ConcurrentLinkedQueue<ResponseExcerpt> firstFailures = new ConcurrentLinkedQueue<>();

        private final @Nullable KeptConnections kept;
        private final @Nullable SSLSocketFactory tls;
        private final ResponseDeadlines deadlines;
        private final HttpTimeouts timeouts;
        private final AtomicInteger excerpts = new AtomicInteger();
        private final AtomicInteger userNumbers = new AtomicInteger();
        private final AtomicInteger inFlight = new AtomicInteger();
        private final AtomicLong nextToken;
        private final AtomicLong arrivals = new AtomicLong();
        private final LongAdder lateInWindow = new LongAdder();
        private final LongAdder startedInWindow = new LongAdder();
        private final @Nullable ArrivalSchedule arrivalSchedule;
        private final @Nullable UserLevels levels;
        private final java.util.Set<Thread> waiting = java.util.concurrent.ConcurrentHashMap.newKeySet();
        private volatile @Nullable StartGate gate;
        private volatile @Nullable Started started;
        private volatile long windowNanos;
        private volatile @Nullable String stopReason;
        private volatile boolean stopped;
        private volatile boolean cutOff;
        private volatile boolean sampleSeen;
        private volatile @Nullable JtlWriter jtl;
        private volatile UserObserver observer = UserObserver.NONE;

        record Started(long nanos, Instant wall, SampleRecorder recorder) {}

        Runtime(LoadRequest request, @Nullable KeptConnections kept) {
            this.request = request;
            this.kept = kept;
            this.windowNanos = request.timing().warmUp().toNanos();
            this.target = HttpTarget.of(request.target());
            String base = request.target().getRawPath() == null
                    ? ""
                    : request.target().getRawPath();
            String before = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
            List<byte[]> made = request.payload()
                    .payloads(request.scenario().payload(), request.testCase().message());
            if (request.scenario().steps().isPresent()) {
                this.steps = CompiledSteps.of(
                        request.scenario().steps().get(),
                        target,
                        before,
                        made.get(0),
                        request.testCase().message().value(),
                        new CompiledSteps.Generator(
                                request.tokenSlice().index(),
                                request.tokenSlice().count(),
                                request.model().users(request.testCase().users())));
                this.scenario = CompiledSteps.firstStep(request.scenario());
                this.payloads = List.of(CompiledSteps.firstBody(
                        request.scenario(),
                        made.get(0),
                        request.testCase().message().value()));
            } else {
                this.steps = null;
                this.scenario = request.scenario();
                this.payloads = made;
            }
            this.path = before + scenario.path();
            this.answers = ExpectedAnswers.of(
                    scenario,
                    request.testCase().message(),
                    payloads,
                    steps == null && request.payload().file().isEmpty());
            this.headers = headers(scenario, request.testCase().message().value());
            this.head = new HttpRequestHead(target, scenario.method(), path, headers);
            this.tokens = tokens(request);
            // Load generators with the same file must not walk through it in step.
            this.nextToken = new AtomicLong(
                    tokens.isEmpty() ? 0 : ThreadLocalRandom.current().nextInt(tokens.size()));
            this.timeouts = new HttpTimeouts(request.connectTimeout(), request.responseTimeout());
            this.tls = target.tls() ? tls(request) : null;
            LoadModel model = request.model();
            Duration rampUp = request.timing().rampUp();
            this.arrivalSchedule = model.kind() == LoadModel.Kind.OPEN
                    ? new ArrivalSchedule(model.levels(), rampUp, request.tokenSlice())
                    : null;
            this.levels = model.kind() == LoadModel.Kind.OPEN
                    ? null
                    : new UserLevels(
                            model.levels().isEmpty()
                                    ? List.of(LoadModel.Level.of(
                                            Duration.ZERO, request.testCase().users()))
                                    : model.levels(),
                            rampUp);
            Duration shortest = request.connectTimeout().compareTo(request.responseTimeout()) < 0
                    ? request.connectTimeout()
                    : request.responseTimeout();
            this.deadlines = new ResponseDeadlines(shortest);
            if (kept != null) {
                kept.begin(target, request.trust());
            }
        }

        private static Map<String, String> headers(TestScenario scenario, int message) {
            Map<String, String> headers = new LinkedHashMap<>();
            String contentType = Payloads.contentType(scenario.payload());
            boolean given =
                    scenario.headers().keySet().stream().anyMatch(name -> name.equalsIgnoreCase("Content-Type"));
            if (!contentType.isEmpty() && !given) {
                headers.put("Content-Type", contentType);
            }
            String level = String.valueOf(message);
            new java.util.TreeMap<>(scenario.headers())
                    .forEach((name, value) -> headers.put(name, value.replace("{message}", level)));
            boolean numbered = headers.keySet().stream().anyMatch(name -> name.equalsIgnoreCase("query-number"));
            if (scenario.payload() == PayloadKind.GRAPHQL_QUERY && !numbered) {
                headers.put("query-number", level);
            }
            return headers;
        }

        private static List<byte[]> tokens(LoadRequest request) {
            if (request.scenario().token() == TokenKind.NONE) {
                return List.of();
            }
            return TokenPool.readCsv(request.tokenFile().orElseThrow()).slice(request.tokenSlice()).tokens().stream()
                    .map(token -> token.getBytes(StandardCharsets.US_ASCII))
                    .toList();
        }

        private static SSLSocketFactory tls(LoadRequest request) {
            try {
                return TlsSockets.context(request.trust().all(), request.trust().caFile())
                        .getSocketFactory();
            } catch (IOException | GeneralSecurityException e) {
                throw new LoadException("cannot set up TLS: " + e.getMessage(), e);
            }
        }

        HttpConnection connection() {
            HttpConnection made =
                    new HttpConnection(target, tls, !request.trust().all(), timeouts, deadlines, connectionsOpened);
            if (kept != null) {
                kept.take(target, request.trust()).ifPresent(made::take);
            }
            return made;
        }

        /** Ends the use of a connection by its user. */
        void giveBack(HttpConnection connection) {
            if (kept != null) {
                connection.release().ifPresent(open -> kept.keep(target, request.trust(), open));
            }
            connection.close();
        }

        /** Returns a connection that no figure of the load counts. */
        HttpConnection sideConnection() {
            return new HttpConnection(target, tls, !request.trust().all(), timeouts, deadlines, new LongAdder());
        }

        /** Returns the user of the calling JMeter thread. */
        User user() {
            JMeterContext context = JMeterContextService.getContext();
            JMeterVariables variables = context.getVariables();
            Object known = variables.getObject(USER);
            if (known instanceof User user) {
                return user;
            }
            int number = userNumbers.getAndIncrement();
            User user = new User(
                    number,
                    new ResponseVerifier(
                            scenario.check(), request.testCase().message().value()),
                    answers.mark(ThreadLocalRandom.current().nextLong()),
                    steps == null ? null : steps.user(number));
            variables.putObject(USER, user);
            return user;
        }

        byte @Nullable [] nextToken() {
            return tokens.isEmpty() ? null : tokens.get((int) (nextToken.getAndIncrement() % tokens.size()));
        }

        /** Returns which of the payloads a user's next request carries. */
        int payload(User user) {
            return payloads.size() == 1 ? 0 : (int) ((user.number + user.requests) % payloads.size());
        }

        /** Returns the start of the test; the first caller is that start. */
        Started start() {
            Started known = started;
            if (known != null) {
                return known;
            }
            synchronized (this) {
                known = started;
                if (known == null) {
                    long nanos = System.nanoTime();
                    known = new Started(
                            nanos,
                            // The thread may lose its processor between the two clocks.
                            Instant.now().minusNanos(System.nanoTime() - nanos),
                            new SampleRecorder(
                                    nanos,
                                    request.timing().warmUp(),
                                    request.timing().duration()));
                    started = known;
                    notifyAll();
                }
                return known;
            }
        }

        /** Returns when the window begins, from the start of the test on. */
        long windowNanos() {
            return windowNanos;
        }

        /** Returns when the test ends, from its start on. */
        long endNanos() {
            return windowNanos + request.timing().measurement().toNanos();
        }

        /** Begins the window, and so ends the test, sooner than planned; that time must not have come yet. */
        void windowFrom(long nanos) {
            start().recorder().windowFrom(nanos);
            windowNanos = nanos;
        }

        Optional<Started> started() {
            return Optional.ofNullable(started);
        }

        void writeTo(JtlWriter writer) {
            jtl = writer;
        }

        /** Names who is told of users; to be called before the plan runs. */
        void tell(UserObserver other) {
            observer = other;
        }

        /** Makes all users wait; to be called before the plan runs. */
        StartGate holdUsersBack() {
            StartGate made =
                    new StartGate(request.model().users(request.testCase().users()));
            gate = made;
            return made;
        }

        private boolean awaitStart(User user) {
            StartGate closed = gate;
            if (closed == null || user.begun) {
                return true;
            }
            user.begun = true;
            try {
                long start = closed.arrive();
                return !stopped && parkUntil(start);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }

        /** Waits until that user's next request is due; returns false when it has none any more. */
        boolean awaitTurn(User user) {
            if (!awaitStart(user)) {
                return false;
            }
            Started test = start();
            long begun = test.nanos();
            if (arrivalSchedule != null) {
                long due = arrivalSchedule.dueNanos(arrivals.getAndIncrement());
                if (due < 0 || due >= endNanos()) {
                    return false;
                }
                user.open = true;
                user.intendedNanos = begun + due;
                if (!awaitDue(user, begun + due)) {
                    return false;
                }
                long late = System.nanoTime() - user.intendedNanos;
                // A request of the window that no user was free for until the end has not been sent.
                if (System.nanoTime() - begun >= endNanos()) {
                    return false;
                }
                if (due >= windowNanos) {
                    startedInWindow.increment();
                    if (late > LATE_NANOS) {
                        lateInWindow.increment();
                    }
                }
            } else {
                long free = System.nanoTime() - begun;
                long due = free;
                if (user.lastEnd != Long.MIN_VALUE) {
                    due = Math.max(
                            due, user.lastEnd + request.model().thinkTime().toNanos());
                    due = Math.max(
                            due, user.lastStart + request.model().pacing().toNanos());
                }
                due = java.util.Objects.requireNonNull(levels).nextAtWork(user.number, due);
                if (due < 0 || due >= endNanos()) {
                    return false;
                }
                if (due > free) {
                    leave(user);
                    if (!awaitDue(user, begun + due)) {
                        return false;
                    }
                }
            }
            long now = System.nanoTime() - begun;
            if (stopped || now >= endNanos()) {
                return false;
            }
            if (!user.inWindow) {
                tell(user, now);
            }
            if (!user.atWork) {
                user.atWork = true;
                usersAtWork.incrementAndGet();
            }
            return true;
        }

        /** A request that begins shortly before the window may end in it, and what it waited for is in its response time. */
        private void tell(User user, long now) {
            user.inWindow = now >= windowNanos;
            if (user.toldNanos == Long.MIN_VALUE || !user.inWindow && now - user.toldNanos >= TELL_NANOS) {
                user.toldNanos = now;
                observer.userBegins();
            }
        }

        /** Waits until a request is due; its connection is looked at before, so that it leaves at that time. */
        private boolean awaitDue(User user, long nanos) {
            HttpConnection kept = user.connection;
            if (kept != null && kept.wantsLookAt(nanos)) {
                if (!parkUntil(nanos - LOOK_AHEAD_NANOS)) {
                    return false;
                }
                kept.look();
            }
            return parkUntil(nanos);
        }

        private boolean parkUntil(long nanos) {
            long left = nanos - System.nanoTime();
            if (left <= 0) {
                return !stopped;
            }
            waiting.add(Thread.currentThread());
            try {
                while (!stopped && left > 0) {
                    LockSupport.parkNanos(left);
                    left = nanos - System.nanoTime();
                }
            } finally {
                waiting.remove(Thread.currentThread());
            }
            return !stopped;
        }

        void leave(User user) {
            if (user.atWork
                    && levels != null
                    && request.model().thinkTime().isZero()
                    && request.model().pacing().isZero()) {
                user.atWork = false;
                usersAtWork.decrementAndGet();
            }
        }

        /** Ends a user; its own thread calls this. */
        void finish(User user) {
            observer.userEnds();
            if (user.atWork) {
                user.atWork = false;
                usersAtWork.decrementAndGet();
            }
        }

        void requestBegins() {
            int now = inFlight.incrementAndGet();
            int most = mostInFlight.get();
            while (now > most && !mostInFlight.compareAndSet(most, now)) {
                most = mostInFlight.get();
            }
        }

        void requestEnds(User user, long startNanos, long endNanos) {
            inFlight.decrementAndGet();
            user.requests++;
            long begun = start().nanos();
            user.lastStart = startNanos - begun;
            user.lastEnd = endNanos - begun;
        }

        int inFlight() {
            return inFlight.get();
        }

        boolean wantsExcerpt() {
            return excerpts.get() < EXCERPTS;
        }

        void record(String label, Sample sample) {
            Started test = start();
            if (!sampleSeen) {
                sampleSeen = true;
                if (sample.failure() != null && request.abort().firstRefused()) {
                    stop("the first request failed: " + sample.failure());
                }
            }
            test.recorder().record(label, sample);
        }

        void keepExcerpt(ResponseExcerpt excerpt) {
            if (excerpts.getAndIncrement() < EXCERPTS) {
                firstFailures.add(excerpt);
            }
        }

        @Nullable
        JtlWriter jtl() {
            return jtl;
        }

        /** Ends the test early for that reason; later reasons are ignored. */
        void stop(String reason) {
            synchronized (this) {
                if (stopReason == null) {
                    stopReason = reason;
                }
            }
            stopped = true;
            StartGate closed = gate;
            if (closed != null) {
                closed.giveUp();
            }
            waiting.forEach(LockSupport::unpark);
        }

        Optional<String> stopReason() {
            return Optional.ofNullable(stopReason);
        }

        boolean stopped() {
            return stopped;
        }

        /** Ends the requests that are still under way. */
        void cutOff(String reason) {
            cutOff = true;
            deadlines.cutAll(reason);
        }

        /** Returns whether requests that were still under way have been ended. */
        boolean cutOff() {
            return cutOff;
        }

        long intendedInWindow(long endNanos) {
            if (arrivalSchedule == null) {
                return 0;
            }
            return Math.max(0, arrivalSchedule.arrivalsBefore(endNanos) - arrivalSchedule.arrivalsBefore(windowNanos));
        }

        long startedInWindow() {
            return startedInWindow.sum();
        }

        long lateInWindow() {
            return lateInWindow.sum();
        }

        String label() {
            return request.scenario().name();
        }

        @Override
        public void close() {
            deadlines.close();
        }
    }
}
