/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

import io.gatebench.gateways.token.Introspection;
import io.gatebench.gateways.token.OwnTokens;
import io.gatebench.load.engine.token.SigningKey;
import io.gatebench.load.engine.token.TokenPool;
import io.gatebench.load.engine.token.TokenSpec;
import io.gatebench.model.NodeRole;
import io.gatebench.model.TestCase;
import io.gatebench.model.TestScenario;
import io.gatebench.model.TokenKind;
import io.gatebench.spi.CaseContext;
import io.gatebench.spi.Gateway;
import io.gatebench.spi.Ports;
import io.gatebench.spi.RunContext;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.host.Host;
import io.gatebench.spi.host.HostProcess;
import io.gatebench.spi.role.RoleProcess;
import io.gatebench.spi.role.RoleStartException;

/**
 * A real Microgateway 3.x from its runtime pack, with a project that was built before or is built by its toolkit.
 *
 * <p>The tokens are the suite's own: the key that signs the JWTs is put into the gateway's trust store, and opaque
 * tokens are looked up at an introspection endpoint of the suite's, which runs for the gateway alone.
 */
public final class MicrogatewayGateway implements Gateway {

    private static final String WHAT = ProductInstallation.Kind.MICROGATEWAY.title();
    private static final String AUDIENCE = "gatebench";
    private static final String ISSUER = "https://gatebench/oauth2/token";
    private static final String ALIAS = "gatebench";
    private static final String TRUST_STORE = "runtime/bre/security/ballerinaTruststore.p12";
    /** The password of the trust store as every pack has it; it protects public certificates only. */
    private static final String TRUST_STORE_PASSWORD = "ballerina";

    private static final String PROJECT = "gatebench-echo";
    private static final int HTTPS_PORT = 9095;
    private static final int HTTP_PORT = 9090;
    private static final int TOKEN_PORT = 9096;
    private static final int JWTS = 1000;
    private static final Duration BUILD = Duration.ofMinutes(10);

    private static final String BUILD_SCRIPT = """
            unset MICROGW_HOME JAVACMD
            [ -z "$4" ] || export JAVA_HOME="$4"
            cd "$0" && rm -rf "$2" && "$1" init "$2" && cp "$3" "$2/api_definitions/" && exec "$1" build "$2"
            """;

    private final String applicationName;
    private final ProductSettings settings;
    private final PackRun pack;
    private final Optional<Pack> toolkit;
    private final Map<TokenKind, OwnTokens> tokens = new EnumMap<>(TokenKind.class);
    private Optional<String> toolkitHome = Optional.empty();
    private Optional<URI> builtFor = Optional.empty();
    private String project = "";

    private MicrogatewayGateway(
            String applicationName, ProductSettings settings, PackRun pack, Optional<Pack> toolkit) {
        this.applicationName = applicationName;
        this.settings = settings;
        this.pack = pack;
        this.toolkit = toolkit;
    }

    /**
     * Returns a Microgateway that is installed from its runtime pack.
     *
     * @throws IllegalArgumentException if a pack is not what it is to be, or there is neither project nor toolkit
     */
    public static MicrogatewayGateway ofPack(
            String applicationName, Path path, ProductSettings settings, Optional<Double> cpus) {
        PackRun run = new PackRun(
                applicationName,
                Pack.open(path, WHAT + " (its runtime)", List.of("bin/gateway")),
                settings,
                cpus,
                "bin/gateway.pid",
                PackServer.HeapVariable.JAVA_OPTS);
        if (settings.project().isEmpty() && settings.toolkit().isEmpty()) {
            throw new IllegalArgumentException("microgateway from a pack needs --gateway-config with a built project"
                    + " (project: echo.jar) or the toolkit that builds one (toolkit: wso2am-micro-gw-toolkit.zip)");
        }
        Optional<Pack> toolkit = settings.project().isPresent()
                ? Optional.empty()
                : settings.toolkit().map(p -> Pack.open(p, WHAT + " (its toolkit)", List.of("bin/micro-gw")));
        return new MicrogatewayGateway(applicationName, settings, run, toolkit);
    }

    @Override
    public String applicationName() {
        return applicationName;
    }

    @Override
    public Duration overheadPerCase() {
        return Duration.ofSeconds(30);
    }

    @Override
    public boolean takesMemoryLimit() {
        return true;
    }

    @Override
    public void initialize(RunContext run) {
        Host host = run.environment().host(NodeRole.GATEWAY);
        String home = pack.install(run);
        String secrets = host.workDirectory() + "/secrets";
        host.createDirectory(secrets);
        toolkitHome = toolkit.map(t -> t.install(host, host.workDirectory() + "/toolkit"));
        settings.project().ifPresent(jar -> {
            project = host.workDirectory() + "/product/" + jar.getFileName();
            HostFiles.copy(host, jar, project);
        });
        makeJwts(run, host, home, secrets);
        tokens.put(
                TokenKind.OPAQUE,
                OwnTokens.opaque(
                        TokenPool.opaque(settings.tokenCount()), run.secrets().resolve("opaque.csv")));
    }

    /** Makes key and certificate with keytool: the trust store takes certificates, not keys alone. */
    private void makeJwts(RunContext run, Host host, String home, String secrets) {
        String password = UUID.randomUUID().toString();
        String keytool =
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        Path store = run.secrets().resolve("jwt-key.p12");
        Path passwordFile = run.secrets().resolve("jwt-key.password");
        Path certificate = run.secrets().resolve("jwt-key.pem");
        try {
            Files.writeString(passwordFile, password);
        } catch (IOException e) {
            throw new RoleStartException("the key of the tokens cannot be made: " + e);
        }
        HostFiles.runHere(
                "make the key of the tokens",
                List.of(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        ALIAS,
                        "-keyalg",
                        "RSA",
                        "-keysize",
                        "2048",
                        "-dname",
                        "CN=gatebench",
                        "-validity",
                        "3650",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass:file",
                        passwordFile.toString()));
        HostFiles.runHere(
                "export the certificate of the tokens",
                List.of(
                        keytool,
                        "-exportcert",
                        "-rfc",
                        "-alias",
                        ALIAS,
                        "-keystore",
                        store.toString(),
                        "-storepass:file",
                        passwordFile.toString(),
                        "-file",
                        certificate.toString()));
        String there = secrets + "/jwt-key.pem";
        HostFiles.copy(host, certificate, there);
        HostFiles.run(
                host,
                "put the certificate of the tokens into the gateway's trust store",
                List.of(
                        Path.of(host.java()).resolveSibling("keytool").toString(),
                        "-importcert",
                        "-noprompt",
                        "-alias",
                        ALIAS,
                        "-file",
                        there,
                        "-keystore",
                        home + "/" + TRUST_STORE,
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        TRUST_STORE_PASSWORD));
        SigningKey key =
                SigningKey.fromKeyStore(store, password.toCharArray(), Optional.of(ALIAS), SigningKey.Algorithm.RS256);
        TokenSpec spec = TokenSpec.accessToken(AUDIENCE)
                .withClaim("iss", ISSUER)
                .withType("JWT")
                .withKeyId(ALIAS)
                .withThumbprint(Optional.empty());
        tokens.put(
                TokenKind.JWT,
                OwnTokens.jwt(JWTS, spec, key, run.clock(), run.secrets().resolve("jwt.csv")));
    }

    @Override
    public RunningGateway start(TestCase testCase, TestScenario scenario, CaseContext context) {
        RunContext run = context.run();
        Host host = run.environment().host(NodeRole.GATEWAY);
        String home = pack.install(run);
        build(run, host, context.backend());
        int https = Ports.choose(host, "gateway", run.gatewayPort(), HTTPS_PORT, run.listener());
        int http = Ports.choose(host, "gateway (http)", OptionalInt.empty(), HTTP_PORT, run.listener());
        int token = Ports.choose(host, "gateway (tokens)", OptionalInt.empty(), TOKEN_PORT, run.listener());
        List<HostProcess> helpers = new ArrayList<>();
        String keyManager = "http://" + host.address() + ":1";
        if (scenario.token() == TokenKind.OPAQUE) {
            Introspection introspection =
                    Introspection.start(context, tokens.get(TokenKind.OPAQUE).file());
            helpers.add(introspection.process());
            keyManager = introspection.url().toString();
        }
        HostFiles.write(host, home + "/conf/micro-gw.conf", configuration(host, http, https, token, keyManager));
        URI target = URI.create("https://" + host.address() + ":" + https);
        try {
            RoleProcess process = pack.start(
                    testCase,
                    context,
                    List.of(project),
                    Map.of(),
                    started -> new GatewayReady(run)
                            .await(
                                    applicationName,
                                    "GET",
                                    target.resolve(scenario.path()),
                                    "",
                                    RestBody.NONE,
                                    status -> status != 404,
                                    Optional.of(started),
                                    settings.startTimeout()));
            return OwnTokens.serving(
                    target, Optional.of(process), helpers, Optional.ofNullable(tokens.get(scenario.token())));
        } catch (RuntimeException e) {
            helpers.forEach(helper -> helper.stop(RoleProcess.STOP_GRACE));
            throw e;
        }
    }

    private void build(RunContext run, Host host, URI backend) {
        if (toolkitHome.isEmpty() || builtFor.filter(backend::equals).isPresent()) {
            return;
        }
        run.listener().step("building the project of the gateway");
        String directory = host.workDirectory() + "/project";
        host.createDirectory(directory);
        HostFiles.write(host, directory + "/echo.yaml", definition(backend));
        HostFiles.run(
                host,
                "build the project of the gateway",
                List.of(
                        "/bin/sh",
                        "-c",
                        BUILD_SCRIPT,
                        directory,
                        toolkitHome.get() + "/bin/micro-gw",
                        PROJECT,
                        directory + "/echo.yaml",
                        settings.javaHome().orElse("")),
                BUILD);
        project = directory + "/" + PROJECT + "/target/" + PROJECT + ".jar";
        builtFor = Optional.of(backend);
    }

    /** Returns the API's description, which says where the back end is. */
    static String definition(URI backend) {
        return """
                openapi: 3.0.0
                info:
                  title: Echo
                  version: 1.0.0
                x-wso2-basePath: /echo/1.0.0
                x-wso2-production-endpoints:
                  urls:
                    - %s
                  type: http
                security:
                  - oauth2: []
                components:
                  securitySchemes:
                    oauth2:
                      type: oauth2
                      flows:
                        clientCredentials:
                          tokenUrl: https://localhost/oauth2/token
                          scopes: {}
                paths:
                  /*:
                    post:
                      responses:
                        '200':
                          description: The echo
                """.formatted(backend);
    }

    /** Returns the gateway's configuration; what it leaves out has the product's own values. */
    static String configuration(Host host, int http, int https, int token, String keyManager) {
        return """
                [listenerConfig]
                  host = "%s"
                  httpPort = %d
                  httpsPort = %d
                  tokenListenerPort = %d

                [keyManager]
                  serverUrl = "%s"
                  tokenContext = "oauth2"

                [[jwtTokenConfig]]
                  issuer = "%s"
                  audience = "%s"
                  certificateAlias = "%s"
                  validateSubscription = false
                """.formatted(host.address(), http, https, token, keyManager, ISSUER, AUDIENCE, ALIAS);
    }

    @Override
    public List<String> notes() {
        return pack.notes();
    }

    @Override
    public Map<String, String> versions() {
        return Map.of("gateway", pack.version());
    }
}
