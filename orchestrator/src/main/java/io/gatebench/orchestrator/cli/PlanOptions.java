/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.cli;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import io.gatebench.runner.plan.PlanFile;
import io.gatebench.runner.plan.PlanInput;
import io.gatebench.runner.plan.PlanKey;

/** The options that say what is measured, one for each key of a plan; lists are separated by commas. */
final class PlanOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--product", paramLabel = "<name>", description = "What is measured; see the command 'products'.")
    private @Nullable String product;

    @Option(
            names = "--profile",
            paramLabel = "quick|release",
            description = "quick (default): small matrix, minutes, no release figures; release: the product's"
                    + " published matrix and durations.")
    private @Nullable String profile;

    @Option(
            names = "--plan",
            paramLabel = "<file.yaml>",
            description = "Read the plan from a YAML file, whose keys are these options' names; options win over it.")
    private @Nullable Path plan;

    @Option(
            names = "--scenario",
            paramLabel = "<name,..>",
            description = "Run only these scenarios; * stands for any characters.")
    private @Nullable String scenario;

    @Option(names = "--exclude-scenario", paramLabel = "<name,..>", description = "Leave these scenarios out.")
    private @Nullable String excludeScenario;

    @Option(
            names = "--scenario-name",
            paramLabel = "<scenario>=<name>,..",
            description = "Names of scenarios in the documents, e.g. 'passthrough=Echo API'.")
    private @Nullable String scenarioName;

    @Option(names = "--heap", paramLabel = "<size,..>", description = "Heap sizes of the gateway, e.g. 512M,2G.")
    private @Nullable String heap;

    @Option(names = "--users", paramLabel = "<n,..>", description = "Concurrent users, e.g. 50,100,200.")
    private @Nullable String users;

    @Option(names = "--message-size", paramLabel = "<bytes,..>", description = "Request payloads, e.g. 50,1024,10240.")
    private @Nullable String messageSize;

    @Option(names = "--query", paramLabel = "<1..3,..>", description = "GraphQL query numbers.")
    private @Nullable String query;

    @Option(names = "--elements", paramLabel = "<n,..>", description = "Numbers of elements of the bare XML payloads.")
    private @Nullable String elements;

    @Option(
            names = "--backend-delay",
            paramLabel = "<time,..>",
            description = "Waits that the back end adds, e.g. 0,30ms,1s; a bare number is milliseconds.")
    private @Nullable String backendDelay;

    @Option(
            names = "--duration",
            paramLabel = "<time>",
            description = "Length of each test, warm-up included, e.g. 15m; a bare number is seconds.")
    private @Nullable String duration;

    @Option(
            names = "--warm-up",
            paramLabel = "<time>|auto[:<limit>]",
            description =
                    "Leading part that does not count; auto (default of quick) ends it when the load is steady and"
                            + " the compilers are done, at the latest after the limit (default 120s).")
    private @Nullable String warmUp;

    @Option(
            names = "--ramp-up",
            paramLabel = "<time>",
            description = "Time in which all users start; part of the warm-up.")
    private @Nullable String rampUp;

    @Option(
            names = "--rate",
            paramLabel = "<n|levels|shape>",
            description =
                    "Open model: requests per second whatever the responses, e.g. 500, in levels 100,300@1m,100@2m+10s,"
                            + " 'staircase 100 +100 x5 every 30s' or 'spike 100 to 1000 at 60s for 10s'; --users is then the"
                            + " most that may be under way.")
    private @Nullable String rate;

    @Option(
            names = "--user-levels",
            paramLabel = "<levels|shape>",
            description = "Closed model: users that change while the test runs, in the form of --rate; instead of"
                    + " --users.")
    private @Nullable String userLevels;

    @Option(
            names = "--think-time",
            paramLabel = "<time>",
            description = "Closed model: wait of a user between a response and the next request, e.g. 200ms (default"
                    + " 0); a bare number is milliseconds.")
    private @Nullable String thinkTime;

    @Option(
            names = "--pacing",
            paramLabel = "<time>",
            description = "Closed model: least time between two requests of a user, e.g. 1s (default 0); a bare number"
                    + " is milliseconds.")
    private @Nullable String pacing;

    @Option(names = "--repeat", paramLabel = "<n>", description = "Measure each test case n times (default 1).")
    private @Nullable String repeat;

    @Option(
            names = "--restart",
            paramLabel = "case|scenario|never",
            description = "When the gateway is started anew: for each case (default of release), when the scenario"
                    + " changes, or only where it must be (default of quick).")
    private @Nullable String restart;

    @Option(
            names = "--control-run",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description =
                    "Also measure each test case straight at the back end (default: only in the profile release).")
    private @Nullable String controlRun;

    @Option(names = "--backend-heap", paramLabel = "<size>", description = "Heap of the back end (default 256M).")
    private @Nullable String backendHeap;

    @Option(
            names = "--load-generator-heap",
            paramLabel = "<size>",
            description = "Heap of the load generator (default 512M).")
    private @Nullable String loadGeneratorHeap;

    @Option(
            names = "--http-client",
            paramLabel = "fast|jmeter",
            description = "Client of the load generator: fast (default), or JMeter's own as a control.")
    private @Nullable String httpClient;

    @Option(
            names = "--payload-compat",
            paramLabel = "wso2",
            description = "Payloads in the sizes of the predecessor's files, which are not exact.")
    private @Nullable String payloadCompat;

    @Option(
            names = "--payload-variants",
            paramLabel = "<n>",
            description = "Different payloads of one size that users send in turn, against caches (default 1).")
    private @Nullable String payloadVariants;

    @Option(
            names = "--payload-file",
            paramLabel = "<file>",
            description =
                    "Send the bytes of this file instead of a generated payload; responses are then checked by status,"
                            + " and by length where the scenario is an echo.")
    private @Nullable String payloadFile;

    @Option(
            names = "--probe-every",
            paramLabel = "<n>",
            description = "Send one probe (wrong route, bad token) along for so many requests (default 1000, 0: none).")
    private @Nullable String probeEvery;

    @Option(
            names = "--gateway-config",
            paramLabel = "<file.yaml>",
            description = "The gateway of the product http (how it starts, where it listens, what it serves), or the"
                    + " settings of a real product (users, keys, tokens, database).")
    private @Nullable String gatewayConfig;

    @Option(
            names = "--gateway-url",
            paramLabel = "<url>",
            description = "Measure the gateway that runs already at this base URL; it is neither started nor stopped.")
    private @Nullable String gatewayUrl;

    @Option(
            names = "--gateway-home",
            paramLabel = "<dir|zip>",
            description = "Install the gateway from this product pack, start it and set it up.")
    private @Nullable String gatewayHome;

    @Option(
            names = "--cpus",
            paramLabel = "<n>",
            description = "Processors that a gateway from a pack may use, e.g. 1 or 0.5 (default: all).")
    private @Nullable String cpus;

    @Option(
            names = "--gateway-cpus",
            paramLabel = "<n,..>",
            description = "Processors that the gateway gets for itself, e.g. 1,2,4; all: it shares all of them with the"
                    + " other roles of its machine (default: auto, half of them where it shares its machine).")
    private @Nullable String gatewayCpus;

    @Option(
            names = "--gateway-memory",
            paramLabel = "<size,..>",
            description =
                    "Memory that the gateway, or its container, is limited to, e.g. 512M,1G (default: what its file"
                            + " says).")
    private @Nullable String gatewayMemory;

    @Option(
            names = "--gateway-replicas",
            paramLabel = "<n,..>",
            description = "Numbers of gateways that share the load, e.g. 1,2,4, each in a pod of its own: with"
                    + " --environment kubernetes alone (default: 1).")
    private @Nullable String gatewayReplicas;

    @Option(
            names = "--keep",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Leave what was set up in a running gateway or a database (default: it is removed).")
    private @Nullable String keep;

    @Option(
            names = "--gateway-port",
            paramLabel = "<port>",
            description = "Port of the gateway; refused if taken (default: the product's own, else a free one).")
    private @Nullable String gatewayPort;

    @Option(
            names = "--backend-port",
            paramLabel = "<port>",
            description = "Port of the back end; refused if taken (default: 8688, else a free one).")
    private @Nullable String backendPort;

    @Option(
            names = "--results",
            paramLabel = "<dir>",
            description = "Where the results go; must be new or empty (default: results/<product>-<time>).")
    private @Nullable String results;

    @Option(
            names = "--thresholds",
            paramLabel = "<condition,..>",
            description = "Conditions that the figures must meet, e.g. 'p99 < 50ms,errors == 0'; else exit code 4.")
    private @Nullable String thresholds;

    @Option(
            names = "--keep-failed-rows",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Measure a test case of which every request fails to its end, and give it a row in the "
                    + "report; it stays failed and invalid (default: its load ends after 10 s, without a row).")
    private @Nullable String keepFailedRows;

    @Option(
            names = "--stop-on-failure",
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "true|false",
            description = "Try no further test case after one that failed (default: go on).")
    private @Nullable String stopOnFailure;

    /** Returns what the user wrote, options before the plan file. */
    PlanInput input() {
        PlanInput input = new PlanInput();
        for (PlanKey key : PlanKey.values()) {
            input.option(key, spec.findOption("--" + key.key()).getValue());
        }
        return plan == null ? input : input.over(PlanFile.read(plan));
    }
}
