/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verdict;

import java.util.OptionalDouble;

/**
 * The rules by which figures are judged, with formula, thresholds and reason.
 *
 * <p>The identifiers are stable: they stand in reports, JSON and {@code docs/reference/verdicts.md}.
 *
 * @since 0.1
 */
public enum Rule {
    /** The measured data are not those that were written. */
    CHANGED(
            "changed-after-measurement",
            "files of the case whose SHA-256 is not that of its checksums > 0",
            none(),
            OptionalDouble.of(0),
            "figures that were changed afterwards are nobody's measurement",
            "take the results from where they were measured once more, or measure the test case again"),
    /** Nothing was measured. */
    NOT_MEASURED(
            "not-measured",
            "no throughput and no mean response time",
            none(),
            none(),
            "a row without figures says nothing about the gateway",
            "look for the cause in the logs of the test case, or give the load more time with --duration"),
    /** A probe was answered wrongly. */
    PROBE(
            "probe-failed",
            "wrong responses to probes > 0",
            none(),
            OptionalDouble.of(0),
            "a gateway that lets a foreign token in, or routes wrongly, does less work than the row says",
            "repair the route or the token check of the gateway; the responses to the probes stand with the test case"),
    /** The back end got fewer requests, or bodies, than were answered. */
    NOT_PASSED_THROUGH(
            "not-passed-through",
            "successful responses without a request, or a whole body, that the back end got, over the whole load, in "
                    + "% of"
                    + " those of the window; of echoes also the requests that the back end got beyond those sent, in %",
            OptionalDouble.of(5),
            OptionalDouble.of(0.1),
            "a response that did not come from the back end came from a cache, from another back end, or from nowhere, and"
                    + " is no work of the gateway",
            "switch off caches of the gateway, and see that it forwards to the back end of the run, each request once"),
    /** The back end got what the clients sent, where the gateway had to build another message. */
    NOT_MEDIATED(
            "not-mediated",
            "difference between the bytes that the back end got and those that were sent, in %, below the limit; where the"
                    + " gateway builds another message for the back end and turns the response back",
            none(),
            OptionalDouble.of(0.1),
            "an echo that passes through gives the same response without the work that the row is about",
            "repair the mediation of the scenario in the gateway"),
    /** Connections were not kept. */
    CONNECTIONS(
            "connections-not-kept",
            "(opened connections - users) / samples of the load in %",
            OptionalDouble.of(1),
            none(),
            "a connection for every few requests costs more than the requests: what is measured is connecting",
            "let the gateway keep the connections of its clients: idle times, and most requests of a connection"),
    /** The load ended before its time. */
    ABORTED(
            "aborted",
            "the load generator stopped early",
            none(),
            OptionalDouble.of(0),
            "the window is not the one that was planned",
            "read why with the test case, repair it, and measure the test case again"),
    /** The warm-up was to last until the load is steady. */
    WARM_UP_LIMIT(
            "warm-up-limit",
            "the load had not become steady, or a compiler still worked, when the limit of the warm-up came",
            OptionalDouble.of(0),
            none(),
            "the window may lie in a warm-up that goes on, or the gateway has no steady state at this load",
            "give the warm-up more time with --warm-up auto:300s, and keep other work off the machines"),
    /** An open model asked for more than the load generator could send. */
    RATE_MISSED(
            "rate-missed",
            "1 - sent / intended requests of the window, in %, in the open model",
            OptionalDouble.of(1),
            OptionalDouble.of(10),
            "the rate that the row stands for was not offered",
            "ask for a lower rate, allow more users, or add load generators"),
    /** Every sample failed. */
    ALL_FAILED(
            "all-failed",
            "errors / samples = 100 %",
            none(),
            OptionalDouble.of(100),
            "the speed of refusals is not the speed of the gateway",
            "read the first failed responses of the test case, and repair the gateway or the scenario"),
    /** Some samples failed. */
    ERRORS(
            "errors",
            "errors / samples in %",
            OptionalDouble.of(0.005),
            OptionalDouble.of(1),
            "throughput and response times count failed samples, which are faster or slower than responses; what a "
                    + "published table prints as 0 % is left alone",
            "read the first failed responses of the test case; fewer users show whether the gateway was overloaded"),
    /** The counts and the percentage of errors contradict each other. */
    ERROR_COUNT(
            "error-count",
            "|errors / samples - error %| in percentage points",
            OptionalDouble.of(0.011),
            none(),
            "one of the two figures is wrong",
            "make the table again from the raw samples: summarize <file.jtl>"),
    /** Throughput and mean response time do not fit the users. */
    LITTLES_LAW(
            "littles-law",
            "|throughput x mean response time / users - 1| in %",
            OptionalDouble.of(5),
            OptionalDouble.of(50),
            "in a closed model without think time every user waits for a response at any moment; if the product is"
                    + " smaller, users were missing (ramp-up inside the window, a restart, a stalled load generator), if it"
                    + " is larger, the figures are not of one window",
            "warm up for longer with --warm-up, and see whether the load generator or the gateway stood still"),
    /** Answers came sooner than the back end can give them. */
    BELOW_DELAY(
            "below-delay",
            "mean response time < back-end delay; smallest response time < delay - 1 ms",
            OptionalDouble.of(1),
            OptionalDouble.of(0),
            "a response that comes before the back end has waited did not come from the back end",
            "make sure that the gateway forwards every request to the back end of this run, and caches nothing"),
    /** A percentile lies above the maximum, or percentiles do not ascend. */
    PERCENTILES(
            "percentile-order",
            "p75 <= p90 <= p95 <= p98 <= p99 <= p99.9 <= maximum",
            OptionalDouble.of(0),
            none(),
            "no percentile can exceed the maximum; up to 1 % is the rounding of a histogram with two significant digits, more is"
                    + " a wrong figure",
            "make the table again from the raw samples: summarize <file.jtl>"),
    /** The GC throughput cannot be true. */
    GC_THROUGHPUT(
            "gc-throughput",
            "GC throughput is 0 %, below 0 % or above 100 %",
            OptionalDouble.of(0),
            none(),
            "0 % is what the published formula gives for a log with one pause; it is no measurement",
            "use the exact figure beside it, or measure for longer with --duration"),
    /** The published formula of the GC throughput gives another figure than was measured. */
    GC_FORMULA(
            "gc-formula",
            "|GC throughput by the published formula - exact GC throughput| in percentage points; above 0.1 a remark, which"
                    + " leaves the row valid",
            none(),
            none(),
            "the published formula divides by the time from the first to the last event of the log, which is a small part"
                    + " of a run with few collections",
            "use the exact figure, which stands in the reason and under --columns all"),
    /** The footprint carries the wrong unit. */
    FOOTPRINT_UNIT(
            "footprint-unit",
            "mean footprint after full GC > heap size, or > footprint of the same process",
            OptionalDouble.of(0),
            none(),
            "what is left after a collection fits into the heap; a larger figure is KiB published as M",
            "divide the figure by 1024, or make it again from the GC log: gc <file>"),
    /** The load generator was itself a bottleneck. */
    LOAD_GENERATOR(
            "load-generator-saturated",
            "own verdict of the load generator; in published rows idle CPU and I/O wait of its host < 10 %",
            OptionalDouble.of(10),
            none(),
            "a load generator that waits for a processor measures its own queue",
            "give the load generator processors or a machine of its own, or use fewer users"),
    /** The window was not in a steady state. */
    NOT_STEADY(
            "not-steady",
            "|last third / first third - 1| in % of throughput or mean response time, and more than 3 standard errors",
            OptionalDouble.of(10),
            OptionalDouble.of(30),
            "a mean over a changing state depends on how long one happened to measure",
            "warm up for longer with --warm-up, or measure for longer with --duration"),
    /** Users were missing inside the window. */
    USERS_MISSING(
            "users-missing",
            "seconds of the window with fewer users at work than the row says, in %",
            OptionalDouble.of(0),
            OptionalDouble.of(20),
            "the ramp-up, or a load generator that lost users, is part of the figures",
            "warm up for longer with --warm-up, so that the ramp-up is over before the window"),
    /** A stretch of the window without any sample. */
    GAP(
            "gap",
            "longest stretch of the window without a started sample, in s, beyond the largest response time",
            OptionalDouble.of(2),
            OptionalDouble.of(10),
            "something stood still or was restarted inside the window",
            "look for a pause or a restart in the logs of the test case at that time, and measure the test case again"),
    /** Nothing was answered for a while. */
    STANDSTILL(
            "standstill",
            "longest time of the window without a response, in s, where neither the rate of responses nor the cycle "
                    + "of the"
                    + " users explains it; or seconds with half the responses or fewer, whose median response time is "
                    + "10 times that of the window and 0.5 s above it",
            OptionalDouble.of(1),
            none(),
            "throughput and mean mix the time in which the gateway works with the time in which it stood, and in the closed"
                    + " model percentiles hardly see it",
            "look at that second of the gateway's and the back end's logs; the corrected percentiles say what callers"
                    + " would have found"),
    /** Answers came after the window, or never. */
    LATE_ANSWERS(
            "late-answers",
            "1 - responses in the window / requests sent in it, in %, where responses came after it; requests never answered > 0",
            OptionalDouble.of(1),
            none(),
            "more was sent than was answered: throughput says what the gateway has answered in the window, response times"
                    + " and errors hold the others too",
            "ask for a lower rate or measure for longer; for what is never answered look at the gateway's logs"),
    /** The way through the gateway seems shorter than the one without it. */
    OVERHEAD(
            "overhead-negative",
            "gateway overhead < 0: within its 95 % interval doubtful, beyond it invalid; judged of the overhead, not of the row",
            OptionalDouble.of(0),
            OptionalDouble.of(0),
            "the way through the gateway holds the one to the back end: a shorter one means that one of the two runs"
                    + " measured something else",
            "measure test case and control run again, for longer and on a quiet machine"),
    /** A JVM was restarted. */
    RESTART(
            "restart",
            "further JVM starts in the GC log of the gateway",
            none(),
            OptionalDouble.of(0),
            "the window holds the death of one gateway and the warm-up of another",
            "find out in the log of the gateway why it ended, and give it more memory with --heap if it lacked some"),
    /** A virtual machine was held back by its neighbours. */
    HOST_NOISE(
            "host-noise",
            "stolen CPU in % of any host of the run",
            OptionalDouble.of(1),
            OptionalDouble.of(10),
            "the machine was not the one that the row names",
            "measure on a machine that nobody else uses"),
    /** Other programs ran on the processors of the run. */
    OTHER_PROGRAMS(
            "other-programs",
            "processor time of programs that are no part of the run, in % of the processors that a process of the run could"
                    + " use",
            OptionalDouble.of(5),
            none(),
            "a process of the run waits while another program has its processor, or finds its caches emptied: the figures are"
                    + " of what was left of the machine",
            "end the program that is named, or measure when nothing else runs on the machine"),
    /** The CPU limit of a control group held a process back. */
    THROTTLED(
            "throttled",
            "periods of the window in which a process had used up the CPU limit of its control group, in %; of the gateway"
                    + " never more than doubtful",
            OptionalDouble.of(1),
            OptionalDouble.of(10),
            "a limited gateway shows its limit, and a limited back end or load generator is measured in its stead",
            "raise or remove the CPU limit, or compare the row with rows of the same limit only"),
    /** One row stands for several gateways. */
    REPLICAS(
            "replicas",
            "gateways that shared the load > 1; a remark, which leaves the row valid",
            none(),
            none(),
            "a row has one column for what several processes did: what adds up is a sum, and collections are those of the"
                    + " replica that did worst",
            "look at the replicas one by one, on the page of the case or with --columns all"),
    /** A JVM believes to have other limits than the plan gives it. */
    JVM_LIMITS(
            "jvm-limits",
            "processors, memory and heap that the JVM of the gateway says it has, held to those of the plan",
            OptionalDouble.of(0),
            none(),
            "a JVM sizes its threads and its heap by what it believes: the row names limits that are not those which were"
                    + " measured",
            "look into the command of the gateway for options such as -Xmx, -XX:ActiveProcessorCount or"
                    + " -XX:-UseContainerSupport, and take a JDK that reads the limits of its control group"),
    /** Clocks of two hosts differ. */
    CLOCK_OFFSET(
            "clock-offset",
            "|clock of a host - clock of the load generator| in ms",
            OptionalDouble.of(500),
            none(),
            "GC and host figures of that host were cut from another window",
            "set the clocks of all hosts by one time service, e.g. chrony"),
    /** Several load generators did not begin together. */
    START_SKEW(
            "start-skew",
            "time between the first and the last start of several load generators / length of the window, in %",
            OptionalDouble.of(1),
            OptionalDouble.of(10),
            "each load generator counts its window from its own start: for so long a part of the users was not there, and"
                    + " what stands in one second was measured in several",
            "set the clocks of the load generators by one time service, or measure for longer with --duration"),
    /** The gateway is as fast as the back end without it. */
    CONTROL_CEILING(
            "rig-ceiling",
            "throughput / throughput of the control run in %, at no back-end delay",
            OptionalDouble.of(90),
            none(),
            "close to the ceiling of the rig the figure is that of the back end or of the load generator",
            "give back end and load generator more processors, or machines of their own"),
    /** Throughput is the same whatever is asked of the gateway. */
    PLATEAU(
            "plateau",
            "(largest - smallest) / median throughput in % over all test cases of a scenario, heap and delay, where "
                    + "users differ by a factor of 2 or more and messages by a factor of 100 or by query",
            OptionalDouble.of(5),
            none(),
            "a gateway slows down with larger messages; what does not change is a limiter somewhere",
            "look for a limiter: a rate limit, a full connection pool, the network, the load generator"),
    /** Response times are too coarse for what they say. */
    COARSE_TIMES(
            "coarse-times",
            "half the resolution of the response times / mean, in %, of results of other tools",
            OptionalDouble.of(5),
            none(),
            "a change that is smaller than the resolution cannot be seen, and one step of it looks like a change",
            "compare the throughput, or measure with a tool that writes finer times"),
    /** Too few samples. */
    FEW_SAMPLES(
            "few-samples",
            "samples < 100",
            OptionalDouble.of(100),
            none(),
            "a 99th percentile of fewer than 100 samples is their maximum",
            "measure for longer with --duration, or with more users");

    private final String id;
    private final String formula;
    private final OptionalDouble doubtful;
    private final OptionalDouble invalid;
    private final String why;
    private final String remedy;

    Rule(String id, String formula, OptionalDouble doubtful, OptionalDouble invalid, String why, String remedy) {
        this.id = id;
        this.formula = formula;
        this.doubtful = doubtful;
        this.invalid = invalid;
        this.why = why;
        this.remedy = remedy;
    }

    /** Returns the stable identifier, e.g. {@code littles-law}. */
    public String id() {
        return id;
    }

    /** Returns what is computed. */
    public String formula() {
        return formula;
    }

    /** Returns the threshold from which a row is doubtful, in the unit of the formula, if there is one. */
    public OptionalDouble doubtful() {
        return doubtful;
    }

    /** Returns the threshold from which a row is invalid, in the unit of the formula, if there is one. */
    public OptionalDouble invalid() {
        return invalid;
    }

    /** Returns the reason for the rule. */
    public String why() {
        return why;
    }

    /** Returns what whoever measured can do about it, as an order that ends no sentence. */
    public String remedy() {
        return remedy;
    }

    /**
     * Returns whether a row that is invalid by this rule tells of a gateway that does not do its work, rather than of a
     * measurement that failed.
     *
     * <p>A gateway that breaks between two runs got worse; a measurement that fails says nothing of the gateway.
     */
    public boolean indicatesGatewayFault() {
        return switch (this) {
            case NOT_MEASURED,
                    PROBE,
                    NOT_PASSED_THROUGH,
                    NOT_MEDIATED,
                    ABORTED,
                    ALL_FAILED,
                    ERRORS,
                    BELOW_DELAY,
                    RESTART -> true;
            default -> false;
        };
    }

    /** Returns the level of a figure that is worse the larger it is. */
    public Level levelOf(double figure) {
        if (invalid.isPresent() && figure > invalid.getAsDouble()) {
            return Level.INVALID;
        }
        return doubtful.isPresent() && figure > doubtful.getAsDouble() ? Level.DOUBTFUL : Level.VALID;
    }

    private static OptionalDouble none() {
        return OptionalDouble.empty();
    }
}
