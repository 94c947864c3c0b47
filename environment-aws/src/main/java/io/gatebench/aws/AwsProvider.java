/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.aws;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.Image;

import io.gatebench.model.cloud.CloudException;
import io.gatebench.model.cloud.CloudListener;
import io.gatebench.model.cloud.CloudOffer;
import io.gatebench.model.cloud.CloudProvider;
import io.gatebench.model.cloud.CloudRequest;
import io.gatebench.model.cloud.CloudResource;
import io.gatebench.settings.JsonSchema;

/** Machines in EC2, created and removed as CloudFormation stacks. */
public final class AwsProvider implements CloudProvider {

    private static final Duration REMOVAL = Duration.ofMinutes(10);
    private static final double SECONDS_PER_HOUR = 3600;
    private static final String OWN_ADDRESS = "https://checkip.amazonaws.com";

    private final Path state;
    private final Function<Optional<String>, Aws.Target> targets;
    private final Clock clock;
    private final Pause pause;
    private final SecureRandom random = new SecureRandom();

    /** Creates the provider that the program uses: AWS by the SDK's default chain, records in the home directory. */
    public AwsProvider() {
        this(
                Path.of(System.getProperty("user.home"), ".gatebench", "aws"),
                AwsProvider::real,
                Clock.systemUTC(),
                Pause.SLEEP);
    }

    AwsProvider(Path state, Function<Optional<String>, Aws.Target> targets, Clock clock, Pause pause) {
        this.state = state;
        this.targets = targets;
        this.clock = clock;
        this.pause = pause;
    }

    /** The SDK knows this variable too; it is read here so that it can be said, and that nobody else is asked then. */
    private static Aws.Target real(Optional<String> profile) {
        return new Aws.Target(
                profile,
                Optional.ofNullable(System.getenv("AWS_ENDPOINT_URL"))
                        .filter(text -> !text.isBlank())
                        .map(URI::create),
                Optional.empty());
    }

    @Override
    public String name() {
        return "aws";
    }

    @Override
    public List<String> estimate(CloudRequest request) {
        AwsSettings settings = AwsSettingsFile.read(request.settings());
        PriceList prices = PriceList.read(settings.prices());
        String region = settings.region().orElseGet(() -> Aws.defaultRegion(settings.profile()));
        List<String> lines =
                new ArrayList<>(estimate(settings, prices, region, request).lines());
        long days = PriceList.ageInDays(clock.instant());
        lines.add("the list of prices that comes with this program is " + days + (days == 1 ? " day" : " days")
                + " old; AWS was not asked");
        return lines;
    }

    @Override
    public String settingsSchema() {
        return JsonSchema.of(AwsSettingsFile.TITLE, AwsSettingsFile.KEYS);
    }

    @Override
    public CloudOffer prepare(CloudRequest request, CloudListener listener) {
        AwsSettings settings = AwsSettingsFile.read(request.settings());
        PriceList prices = PriceList.read(settings.prices());
        Aws.Target target = targets.apply(settings.profile());
        target.endpoint().ifPresent(uri -> listener.note("AWS is asked at " + uri));
        String region = settings.region().orElseGet(() -> Aws.defaultRegion(settings.profile()));
        Estimate estimate = estimate(settings, prices, region, request);
        Aws aws = new Aws(target, region, clock, pause, listener);
        try {
            String account = aws.call(
                    "the account cannot be told",
                    clients -> clients.identity().getCallerIdentity().account());
            List<String> lines = new ArrayList<>();
            lines.add("AWS account " + account + ", region " + region);
            lines.add(Quotas.check(aws, settings, request.stacks()));
            settings.archive().ifPresent(place -> {
                new ObjectFiles(aws).require(place);
                lines.add("results are archived at " + place + "/<run>");
            });
            String image = image(aws, settings.image());
            String caller = caller(settings, target);
            lines.add("image " + image + " (" + settings.image() + "), port 22 open to " + caller);
            lines.addAll(estimate.lines());
            return new AwsOffer(
                    aws,
                    prices,
                    new AwsOffer.Order(settings, request, account, image, caller, estimate),
                    state,
                    random,
                    lines);
        } catch (CloudException e) {
            aws.close();
            throw e;
        }
    }

    /**
     * Cost that a run is expected to have, and may have.
     *
     * @param usdPerHour price of an hour of all stacks
     * @param time how long it is expected to take in all
     * @param limit how long anything may live
     * @param lines all that in words
     */
    record Estimate(double usdPerHour, Duration time, Duration limit, List<String> lines) {}

    private static Estimate estimate(AwsSettings settings, PriceList prices, String region, CloudRequest request) {
        List<String> problems = new ArrayList<>();
        Optional<Double> maxCost = request.maxCost().or(settings::maxCost);
        Optional<Duration> maxTime = request.maxTime().or(settings::maxTime);
        if (maxCost.isEmpty() || maxTime.isEmpty()) {
            problems.add("machines in AWS need both limits: --max-cost (US dollars) and --max-hours, or max-cost and"
                    + " max-hours in " + request.settings());
        }
        List<String> lines = new ArrayList<>();
        double perHour = 0;
        Map<String, Long> types = StackTemplate.machines(settings).stream()
                .collect(Collectors.groupingBy(StackTemplate.Machine::type, LinkedHashMap::new, Collectors.counting()));
        for (Map.Entry<String, Long> type : types.entrySet()) {
            Optional<Double> price = prices.perHour(region, "instance", type.getKey());
            if (price.isEmpty()) {
                problems.add(unknownPrice(region, "instance", type.getKey()));
            }
            perHour += price.orElse(0.0) * type.getValue();
            lines.add(request.stacks() * type.getValue() + " x " + type.getKey()
                    + price.map(usd -> usd(", ", usd, " USD per hour each")).orElse(""));
        }
        int machines = StackTemplate.machines(settings).size();
        Optional<Double> disk = prices.diskPerHour(region, "gp3", settings.diskGib());
        Optional<Double> address = prices.perHour(region, "address", "public");
        if (disk.isEmpty()) {
            problems.add(unknownPrice(region, "disk", "gp3"));
        }
        perHour += machines * (disk.orElse(0.0) + address.orElse(0.0));
        lines.add(request.stacks() * machines + " encrypted disks of " + settings.diskGib()
                + " GiB and public addresses");
        if (settings.database().isPresent()) {
            AwsSettings.Database database = settings.database().get();
            Optional<Double> price = prices.perHour(region, "database", database.type());
            if (price.isEmpty()) {
                problems.add(unknownPrice(region, "database", database.type()));
            }
            perHour += price.orElse(0.0)
                    + prices.diskPerHour(region, "database", database.storageGib())
                            .orElse(0.0);
            lines.add(request.stacks() + " x MySQL " + database.type()
                    + price.map(usd -> usd(", ", usd, " USD per hour each")).orElse(""));
        }
        perHour *= request.stacks();
        if (request.detached() && settings.archive().isPresent() && !settings.timer()) {
            problems.add("s3 with --detach needs timer: schedule, as the machine's role for it is in the stack of the"
                    + " timer");
        }
        try {
            settings.forStack(request.stacks());
        } catch (IllegalArgumentException e) {
            problems.add(e.getMessage());
        }
        Duration time =
                settings.setup().plus(request.estimate()).plus(request.keep()).plus(REMOVAL);
        double cost = perHour * time.toSeconds() / SECONDS_PER_HOUR;
        Duration limit = maxTime.orElse(Duration.ZERO);
        if (maxCost.isPresent() && perHour > 0) {
            Duration affordable = Duration.ofSeconds((long) (maxCost.get() / perHour * SECONDS_PER_HOUR));
            limit = affordable.compareTo(limit) < 0 ? affordable : limit;
            if (affordable.compareTo(time) < 0) {
                problems.add(String.format(
                        Locale.ROOT,
                        "the run would cost about %.2f USD (%s at %.2f USD per hour) but --max-cost is %.2f",
                        cost,
                        readable(time),
                        perHour,
                        maxCost.get()));
            }
        }
        if (maxTime.isPresent() && maxTime.get().compareTo(time) < 0) {
            problems.add("the run would take about " + readable(time) + " with creation and removal but --max-hours is "
                    + readable(maxTime.get()));
        }
        if (!problems.isEmpty()) {
            throw CloudException.usage(problems);
        }
        lines.add(String.format(
                Locale.ROOT,
                "about %s, %.2f USD per hour, %.2f USD in all: an estimate from %s, without taxes and traffic",
                readable(time),
                perHour,
                cost,
                prices.source()));
        lines.add(String.format(
                Locale.ROOT,
                "everything is removed after %s at the latest, %.2f USD at that price",
                readable(limit),
                perHour * limit.toSeconds() / SECONDS_PER_HOUR));
        if (!settings.timer()) {
            lines.add("no timer in AWS (timer: none): if this program dies, the machines end themselves after "
                    + readable(settings.lease()) + "; the empty network stays, free of charge, for 'aws teardown'");
        }
        return new Estimate(perHour, time, limit.minus(REMOVAL), List.copyOf(lines));
    }

    private static String unknownPrice(String region, String kind, String name) {
        return "no price is known of the " + kind + " " + name + " in " + region
                + ", so no limit can be kept; put a line '" + region + "," + kind + "," + name
                + ",<usd>' into a file and name that as prices";
    }

    private static String usd(String before, double usd, String after) {
        return before + String.format(Locale.ROOT, "%.4f", usd) + after;
    }

    static String readable(Duration duration) {
        long minutes = (duration.toSeconds() + 59) / 60;
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }

    private static String image(Aws aws, String image) {
        if (image.startsWith("ami-")) {
            return image;
        }
        if (image.startsWith("/")) {
            return aws.call(
                    "the image " + image + " cannot be found",
                    clients -> clients.parameters()
                            .getParameter(request -> request.name(image))
                            .parameter()
                            .value());
        }
        String owner = image.substring(0, image.indexOf(':'));
        String pattern = image.substring(image.indexOf(':') + 1);
        return aws
                .call(
                        "the image " + image + " cannot be found",
                        clients -> clients.ec2()
                                .describeImages(request -> request.owners(owner)
                                        .filters(
                                                Filter.builder()
                                                        .name("name")
                                                        .values(pattern)
                                                        .build(),
                                                Filter.builder()
                                                        .name("state")
                                                        .values("available")
                                                        .build()))
                                .images())
                .stream()
                .max(Comparator.comparing(Image::creationDate))
                .map(Image::imageId)
                .orElseThrow(() -> CloudException.usage(
                        List.of("no image of the owner " + owner + " has a name like '" + pattern + "'")));
    }

    private static String caller(AwsSettings settings, Aws.Target target) {
        if (settings.caller().isPresent()) {
            return settings.caller().get();
        }
        if (target.endpoint().isPresent()) {
            throw CloudException.usage(
                    List.of("with an endpoint of your own, name the address of this machine as caller"));
        }
        try {
            String answer = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create(OWN_ADDRESS))
                                    .timeout(Duration.ofSeconds(20))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body()
                    .trim();
            if (answer.matches("[0-9]{1,3}(\\.[0-9]{1,3}){3}")) {
                return answer + "/32";
            }
            throw CloudException.usage(List.of(OWN_ADDRESS
                    + " does not say the IPv4 address of this machine; name it as" + " caller in the settings file"));
        } catch (IOException e) {
            throw CloudException.failed(
                    "the address of this machine cannot be asked from " + OWN_ADDRESS + " (" + e.getMessage()
                            + "); name it as caller in the settings file",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CloudException.failed("interrupted while asking for the address of this machine", e);
        }
    }

    @Override
    public List<CloudResource> list(List<String> regions, Optional<String> run) {
        List<CloudResource> all = new ArrayList<>();
        for (String region : regions(regions)) {
            try (Aws aws = new Aws(targets.apply(Optional.empty()), region, clock, pause, line -> {})) {
                // What belongs to no region is told once only.
                new Inventory(aws, PriceList.read(Optional.empty()))
                        .resources(run).stream()
                                .filter(found -> !Inventory.isGlobal(found)
                                        || all.stream()
                                                .noneMatch(other -> other.kind().equals(found.kind())
                                                        && other.id().equals(found.id())))
                                .forEach(all::add);
            }
        }
        return all;
    }

    @Override
    public void put(Optional<Path> settings, Path directory, String place, CloudListener listener) {
        try (Aws aws = store(settings, listener)) {
            int files = new ObjectFiles(aws).put(directory, ObjectPlace.of(place));
            listener.note(files + " files are archived at " + place);
        }
    }

    @Override
    public Path get(Optional<Path> settings, String object, CloudListener listener) {
        ObjectPlace place = ObjectPlace.of(object);
        try (Aws aws = store(settings, listener)) {
            return new ObjectFiles(aws).get(place, state.resolveSibling("packs"));
        }
    }

    private Aws store(Optional<Path> file, CloudListener listener) {
        Optional<AwsSettings> settings = file.map(AwsSettingsFile::read);
        Optional<String> profile = settings.flatMap(AwsSettings::profile);
        String region = settings.flatMap(AwsSettings::region).orElseGet(() -> Aws.defaultRegion(profile));
        return new Aws(targets.apply(profile), region, clock, pause, listener);
    }

    @Override
    public Path records(String run) {
        return Journal.runs(state).stream()
                .filter(directory -> directory.getFileName().toString().equals(run))
                .findFirst()
                .orElseThrow(() -> CloudException.usage(List.of("this machine has no records of a run '" + run + "' in "
                        + state + ": give the id that the program said when it created the machines")));
    }

    private static List<String> regions(List<String> regions) {
        return regions.isEmpty() ? List.of(Aws.defaultRegion(Optional.empty())) : regions;
    }

    @Override
    public List<CloudResource> teardown(List<String> regions, Optional<String> run, CloudListener listener) {
        // What is wrong usage is refused before anything is removed; records of a run say where it is.
        List<String> searched = run.isPresent() ? regions : regions(regions);
        List<CloudResource> left = new ArrayList<>();
        Set<String> done = new LinkedHashSet<>();
        for (Path directory : Journal.runs(state)) {
            Journal.Head head = head(directory);
            boolean asked = run.map(head.run()::equals).orElse(regions.isEmpty() || regions.contains(head.region()));
            if (!asked || run.isEmpty() && isRemoved(directory)) {
                continue;
            }
            try (Journal journal = Journal.open(directory, clock);
                    Aws aws = new Aws(targets.apply(Optional.empty()), head.region(), clock, pause, listener)) {
                sameAccount(aws, head);
                left.addAll(remove(journal, aws, PriceList.read(Optional.empty())));
                done.add(head.region() + " " + head.run());
            }
        }
        if (run.isPresent() && regions.isEmpty() && !done.isEmpty()) {
            return left;
        }
        for (String region : regions(searched)) {
            try (Aws aws = new Aws(targets.apply(Optional.empty()), region, clock, pause, listener)) {
                PriceList prices = PriceList.read(Optional.empty());
                Set<String> runs = new TreeSet<>();
                new Inventory(aws, prices).resources(run).forEach(resource -> runs.add(resource.run()));
                for (String found : runs) {
                    if (!done.contains(region + " " + found)) {
                        left.addAll(new Removal(aws, prices).of(found, Set.of()));
                    }
                }
            }
        }
        return left;
    }

    private static Journal.Head head(Path directory) {
        try {
            return Journal.head(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("the state of the run in " + directory + " cannot be read", e);
        }
    }

    private boolean isRemoved(Path directory) {
        try (Journal journal = Journal.open(directory, clock)) {
            List<Journal.Line> lines = journal.lines();
            return !lines.isEmpty() && lines.get(lines.size() - 1).event().equals("removed");
        }
    }

    private static void sameAccount(Aws aws, Journal.Head head) {
        String account = aws.call(
                "the account cannot be told",
                clients -> clients.identity().getCallerIdentity().account());
        if (!account.equals(head.account())) {
            throw CloudException.usage(List.of("the run " + head.run() + " is in the account " + head.account()
                    + " but the credentials are of " + account + "; use those of the former"));
        }
    }

    /** Removes a run of which records exist, and writes so when all is gone; no interrupt breaks it off. */
    static List<CloudResource> remove(Journal journal, Aws aws, PriceList prices) {
        return Uninterrupted.call("gatebench-removal", () -> removeNow(journal, aws, prices));
    }

    private static List<CloudResource> removeNow(Journal journal, Aws aws, PriceList prices) {
        Set<String> intended = journal.lines().stream()
                .filter(line -> line.event().equals("intended") && line.what().equals("stack"))
                .map(Journal.Line::name)
                .collect(Collectors.toCollection(TreeSet::new));
        journal.write("intended", "removal", journal.head().run());
        List<CloudResource> left = new Removal(aws, prices).of(journal.head().run(), intended);
        if (left.isEmpty()) {
            journal.forgetKeys();
            journal.write("removed", "run", journal.head().run());
        } else {
            journal.write("failed", "removal", Removal.describe(left));
        }
        return left;
    }
}
