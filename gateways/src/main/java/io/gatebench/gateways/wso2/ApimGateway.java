/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import io.gatebench.load.engine.LoadException;
import io.gatebench.load.engine.Trust;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenEndpoint;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Environment;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/** A real API Manager: installed from a pack or running already, set up over its REST interfaces. */
public final class ApimGateway implements Gateway {

    /** The environment variable with the administrator's password. */
    static final String ADMIN_PASSWORD = "GATEBENCH_ADMIN_PASSWORD";

    /** The environment variable with the password of the key store. */
    static final String KEY_STORE_PASSWORD = "GATEBENCH_KEY_STORE_PASSWORD";

    private static final List<String> SCRIPTS = List.of("bin/api-manager.sh", "bin/wso2server.sh");
    private static final String CONFIGURATION = "repository/conf/deployment.toml";
    private static final String KEY_STORES = "repository/resources/security/";
    /** HTTPS and HTTP of the gateway, administration, and what else a whole API Manager opens. */
    private static final List<Integer> PORTS =
            List.of(8243, 8280, 9443, 9763, 9611, 9711, 5672, 8672, 9099, 8099, 9021, 8021);

    private static final int ADMIN_PORT = 9443;
    private static final Duration REST_ANSWER = Duration.ofSeconds(60);
    private static final Duration SEARCH_PAUSE = Duration.ofSeconds(1);
    private static final Duration DEPLOYED = Duration.ofSeconds(90);
    private static final Duration LIFETIME = Duration.ofDays(365);

    private final String applicationName;
    private final ProductSettings settings;
    private final Map<String, String> environment;
    private final Origin origin;
    private Optional<MySqlDatabases> databases = Optional.empty();
    private Optional<String> databasePassword = Optional.empty();
    private final Set<ApimApi> setUp = EnumSet.noneOf(ApimApi.class);
    private Optional<URI> setUpFor = Optional.empty();
    private Optional<URI> lastAdmin = Optional.empty();
    private Optional<ApimTokens.Tokens> tokens = Optional.empty();
    private Optional<Path> tokenFile = Optional.empty();
    private Optional<RoleStartException> failure = Optional.empty();

    private ApimGateway(
            String applicationName, ProductSettings settings, Map<String, String> environment, Origin origin) {
        this.applicationName = applicationName;
        this.settings = settings;
        this.environment = environment;
        this.origin = origin;
    }

    /**
     * Returns an API Manager that is installed from a pack.
     *
     * @param environment the environment variables of the suite
     * @throws IllegalArgumentException if the pack is none of API Manager, or is unsafe
     */
    public static ApimGateway ofPack(
            String applicationName,
            Path path,
            ProductSettings settings,
            Optional<Double> cpus,
            Map<String, String> environment) {
        PackRun run = new PackRun(
                applicationName,
                Pack.open(path, ProductInstallation.Kind.APIM.title(), SCRIPTS),
                settings,
                cpus,
                "wso2carbon.pid",
                PackServer.HeapVariable.JVM_MEM_OPTS);
        return new ApimGateway(applicationName, settings, environment, Origin.of(run));
    }

    /** Returns an API Manager that runs already. */
    public static ApimGateway ofRunning(
            String applicationName, URI url, ProductSettings settings, Map<String, String> environment) {
        return new ApimGateway(applicationName, settings, environment, Origin.of(url));
    }

    @Override
    public String applicationName() {
        return applicationName;
    }

    @Override
    public Duration overheadPerCase() {
        return origin.pack().isPresent() ? Duration.ofSeconds(100) : Duration.ofSeconds(15);
    }

    @Override
    public boolean takesMemoryLimit() {
        return !isShared();
    }

    @Override
    public boolean isShared() {
        return origin.running().isPresent();
    }

    @Override
    public Optional<String> replicasHindrance() {
        return settings.database()
                .map(database ->
                        "starts gateways that have nothing in common, but the settings name a database, in which"
                                + " each would make the same tables; drop it there, or the replicas");
    }

    @Override
    public void initialize(RunContext run) {
        if (origin.pack().isEmpty()) {
            return;
        }
        Host host = run.environment().host(NodeRole.GATEWAY);
        String home = origin.pack().get().install(run);
        if (settings.database().isPresent()) {
            ProductSettings.Database database = settings.database().get();
            ProductSettings.Server server = server(database, run.environment());
            String password = server.password().read("password of the database", environment);
            databasePassword = Optional.of(password);
            HostFiles.copy(
                    host,
                    database.connector(),
                    home + "/repository/components/lib/" + database.connector().getFileName());
            MySqlDatabases mysql =
                    new MySqlDatabases(host, server, database.prefix(), password, host.workDirectory() + "/secrets");
            HostFiles.write(host, home + "/" + CONFIGURATION, configuration().withTables(mysql.configuration()));
            run.listener().step("creating the databases");
            mysql.create(home);
            databases = Optional.of(mysql);
        }
    }

    private static ProductSettings.Server server(ProductSettings.Database database, Environment environment) {
        return database.server()
                .or(() -> environment
                        .database()
                        .map(created -> new ProductSettings.Server(
                                created.address(),
                                created.port(),
                                created.user(),
                                Secret.file(created.password()),
                                true)))
                .orElseThrow(() -> new RoleStartException("the settings of the product name no database server, and"
                        + " none was created for the run: name host, user and password there, or a database among"
                        + " the settings of the machines"));
    }

    private CarbonConfig configuration() {
        return new CarbonConfig(origin.pack()
                .flatMap(p -> p.pack().read(CONFIGURATION))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse(""));
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        if (failure.isPresent()) {
            // Asking again with a password that was refused would lock the administrator out.
            throw failure.get();
        }
        RunContext run = context.run();
        if (origin.running().isPresent()) {
            URI target = origin.running().get();
            setUp(run, context.backend(), admin(target, 0));
            awaitApi(run, scenario, target, Optional.empty());
            return ready(target, Optional.empty());
        }
        Host host = run.environment().host(NodeRole.GATEWAY);
        int offset = PortOffset.choose(host, applicationName, PORTS, run.gatewayPort(), run.listener());
        URI target = URI.create("https://" + host.address() + ":" + (PORTS.get(0) + offset));
        URI admin = admin(target, offset);
        Map<String, String> variables = new LinkedHashMap<>();
        databasePassword.ifPresent(password -> variables.put(MySqlDatabases.PASSWORD_VARIABLE, password));
        RoleProcess process = origin.pack()
                .orElseThrow()
                .start(
                        testCase,
                        context,
                        // Always said: the pack's own configuration may name another one.
                        List.of("-DportOffset=" + offset),
                        variables,
                        started -> awaitStart(run, target, admin, started));
        try {
            setUp(run, context.backend(), admin);
            awaitApi(run, scenario, target, Optional.of(process.process()));
        } catch (RuntimeException e) {
            process.stop();
            throw e;
        }
        return ready(target, Optional.of(process));
    }

    /** The gateway's port opens before that of the administration: with the first alone the set-up would come too early. */
    private void awaitStart(RunContext run, URI target, URI admin, HostProcess started) {
        new GatewayReady(run)
                .await(
                        applicationName,
                        "GET",
                        target.resolve("/services/Version"),
                        "",
                        RestBody.NONE,
                        status -> status == 200,
                        Optional.of(started),
                        settings.startTimeout());
        new GatewayReady(run, NodeRole.GATEWAY)
                .await(
                        "the administration of " + applicationName,
                        "GET",
                        admin.resolve(ApimRest.REGISTRATION),
                        "",
                        RestBody.NONE,
                        // It refuses such a request as soon as it is there.
                        status -> status >= 400 && status < 500 && status != 404,
                        Optional.of(started),
                        settings.startTimeout());
    }

    private RunningGateway ready(URI target, Optional<RoleProcess> process) {
        return new RunningGateway(
                target,
                process,
                List.of(),
                tokenFile,
                tokens.map(ApimTokens.Tokens::probes).orElse(Map.of()));
    }

    private URI admin(URI target, int offset) {
        return settings.adminUrl()
                .orElseGet(() -> URI.create("https://" + target.getHost() + ":" + (ADMIN_PORT + offset)));
    }

    private void setUp(RunContext run, URI backend, URI admin) {
        lastAdmin = Optional.of(admin);
        List<ApimApi> apis = ApimApi.of(
                run.plan().scenarios().stream().map(TestScenario::name).toList());
        if (setUpFor.filter(backend::equals).isPresent() && setUp.containsAll(apis)) {
            return;
        }
        run.listener().step("setting up " + applicationName);
        try {
            ApimApplication application = session(run, admin).ensure(apis, backend);
            if (tokens.isEmpty()) {
                makeTokens(run, admin, application);
            }
            setUpFor = Optional.of(backend);
            setUp.clear();
            setUp.addAll(apis);
        } catch (LoadException e) {
            failure = Optional.of(new RoleStartException("the tokens cannot be had: " + e.getMessage()));
            throw failure.get();
        } catch (RoleStartException e) {
            failure = Optional.of(e);
            throw e;
        }
    }

    private ApimSetUp session(RunContext run, URI admin) {
        CarbonConfig config = configuration();
        String password = settings.adminPassword()
                .map(secret -> secret.read("password of the administrator", environment))
                .or(() -> Secret.ifSet(ADMIN_PASSWORD, environment))
                .or(() -> config.value("super_admin", "password"))
                .orElseThrow(() -> new RoleStartException("the password of the administrator is missing: set the"
                        + " environment variable " + ADMIN_PASSWORD + ", or name its place in the settings"
                        + " (admin-password)"));
        return new ApimSetUp(
                new ApimRest(
                        new RestClient(
                                trust(admin), REST_ANSWER, run.environment().host(NodeRole.GATEWAY)::reach),
                        admin,
                        settings.adminUser(),
                        password),
                SEARCH_PAUSE,
                origin.pack().isPresent() && settings.adminUrl().isEmpty());
    }

    /** A password must not be sent to a stranger: only on the way to this very machine nobody can stand between. */
    private Trust trust(URI admin) {
        if (settings.ca().isPresent()) {
            return Trust.certificates(settings.ca().get());
        }
        if (settings.insecure() || isLoopback(admin.getHost())) {
            return Trust.everything();
        }
        throw new RoleStartException("the administrator's password is not sent to " + admin
                + " before it is known who answers there: name the certificate in the settings (ca: file.pem), or"
                + " write insecure: true");
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private void makeTokens(RunContext run, URI admin, ApimApplication application) {
        TokenEndpoint endpoint = new TokenEndpoint(
                run.environment().host(NodeRole.GATEWAY).reach(admin.resolve("/oauth2/token")),
                application.consumerKey(),
                application.consumerSecret(),
                Optional.empty(),
                Optional.empty(),
                trust(admin));
        boolean generate = settings.tokens()
                .map(source -> source == ProductSettings.TokenSource.GENERATED)
                .orElse(origin.pack().isPresent() || settings.keyStore().isPresent());
        ApimTokens.Tokens made;
        if (generate) {
            TokenPool issued = endpoint.fetch(1, run.clock(), n -> {});
            made = ApimTokens.generated(
                    issued.tokens().get(0), signingKey(run), settings.tokenCount(), LIFETIME, run.clock());
        } else {
            TokenPool pool = endpoint.fetch(settings.tokenCount(), run.clock(), n -> {});
            pool.checkValidUntil(plannedEnd(run));
            if (pool.tokens().size() < settings.tokenCount()) {
                run.listener()
                        .note("the token endpoint gave " + pool.tokens().size() + " different tokens for "
                                + settings.tokenCount() + " requests");
            }
            made = ApimTokens.fetched(pool);
        }
        Path file = run.secrets().resolve("apim-tokens.csv");
        made.pool().writeCsv(file);
        tokens = Optional.of(made);
        tokenFile = Optional.of(file);
    }

    private static Instant plannedEnd(RunContext run) {
        long cells = (long) run.plan().testCases().size() * run.plan().repeats();
        return run.clock().instant().plus(run.plan().timing().duration().multipliedBy(cells));
    }

    private SigningKey signingKey(RunContext run) {
        if (settings.keyStore().isPresent()) {
            ProductSettings.KeyStoreFile store = settings.keyStore().get();
            String password = store.password()
                    .map(secret -> secret.read("password of the key store", environment))
                    .or(() -> Secret.ifSet(KEY_STORE_PASSWORD, environment))
                    .orElseThrow(() -> new RoleStartException("the password of the key store is missing: set the"
                            + " environment variable " + KEY_STORE_PASSWORD));
            return SigningKey.fromKeyStore(
                    store.file(), password.toCharArray(), store.alias(), SigningKey.Algorithm.RS256);
        }
        CarbonConfig config = configuration();
        String table = config.value("keystore.primary", "file_name").isPresent() ? "keystore.primary" : "keystore.tls";
        String name = config.value(table, "file_name").orElse("wso2carbon.jks");
        String password = Secret.ifSet(KEY_STORE_PASSWORD, environment)
                .or(() -> config.value(table, "password"))
                .orElseThrow(() -> new RoleStartException("the password of the product's key store " + name
                        + " is missing: set the environment variable " + KEY_STORE_PASSWORD));
        byte[] store = origin.pack()
                .flatMap(p -> p.pack().read(KEY_STORES + name))
                .orElseThrow(() -> new RoleStartException("the key store " + name
                        + " is missing: name one in the settings (key-store), or write tokens: fetched"));
        try {
            Path file = Files.write(run.secrets().resolve("product-keystore"), store);
            return SigningKey.fromKeyStore(
                    file, password.toCharArray(), config.value(table, "alias"), SigningKey.Algorithm.RS256);
        } catch (IOException e) {
            throw new RoleStartException("the product's key store cannot be copied: " + e);
        }
    }

    /** The gateway learns of APIs, applications and subscriptions some time after the publisher has them. */
    private void awaitApi(RunContext run, TestScenario scenario, URI target, Optional<HostProcess> process) {
        boolean graphQl = scenario.name().equals(ApimApi.STARWARS.scenario());
        RestBody body = new RestBody("application/json", graphQl ? "{\"query\":\"{hero{name}}\"}" : "{}");
        String token = tokens.orElseThrow().pool().tokens().get(0);
        new GatewayReady(run)
                .await(
                        "the API of the scenario " + scenario.name(),
                        scenario.method(),
                        target.resolve(scenario.path()),
                        "Bearer " + token,
                        body,
                        status -> status < 500 && status != 401 && status != 403 && status != 404,
                        process,
                        DEPLOYED);
    }

    @Override
    public void remove(RunContext run) {
        if (origin.running().isPresent() && lastAdmin.isPresent()) {
            run.listener().step("removing what was set up");
            session(run, lastAdmin.get()).remove();
        }
        databases.ifPresent(MySqlDatabases::drop);
    }

    @Override
    public List<String> notes() {
        return origin.notes();
    }

    @Override
    public Map<String, String> versions() {
        Map<String, String> versions = new LinkedHashMap<>(origin.versions(applicationName));
        settings.database()
                .filter(database -> origin.pack().isPresent())
                .flatMap(ProductSettings.Database::server)
                .ifPresent(server -> versions.put("database", "MySQL at " + server.host() + ":" + server.port()));
        return versions;
    }
}
