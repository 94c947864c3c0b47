/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import io.gatebench.load.engine.token.SigningKey;

/**
 * Packs that are laid out as the products' and start as they do, but hold the built-in gateways. Their ports are moved,
 * as by the configuration of a pack that someone has used before, unless the start says how far.
 */
public final class PackDoubles {

    /** The key of the application whose tokens the pack of API Manager takes. */
    public static final String CONSUMER = "gatebench-consumer";

    private static final String STORE_PASSWORD = "changeit";
    private static final String TRUST_STORE = "runtime/bre/security/ballerinaTruststore.p12";

    private final Path directory;

    /** Makes packs in a directory. */
    public PackDoubles(Path directory) {
        this.directory = directory;
    }

    /** Returns a pack of API Manager with the key store of {@link #productKey}. */
    Path apim(SigningKey key, int backend) throws IOException {
        return apim(key, "127.0.0.1", "http://127.0.0.1:" + backend);
    }

    /**
     * Returns the same for several machines. If its configuration names a database, each start writes a row there, with the
     * password that the product would take.
     *
     * @param address where it listens
     * @param backend the URL of the back end
     */
    public Path apim(SigningKey key, String address, String backend) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("wso2am-9.9.9/bin/api-manager.sh", text("""
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                offset=70
                for word in "$@"; do case $word in -DportOffset=*) offset=${word#*=};; esac; done
                table=$(sed -n '/^\\[database.apim_db]/,/^\\[database.shared_db]/p' "$home/repository/conf/deployment.toml")
                if [ -n "$table" ]; then
                  data=$(echo "$table" | sed -n 's|^url = "jdbc:mysql://\\([^?]*\\).*|\\1|p')
                  at=${data%%/*}
                  MYSQL_PWD=$GATEBENCH_DATABASE_PASSWORD mysql --no-defaults --host="${at%%:*}" --port="${at#*:}" \\
                    --user="$(echo "$table" | sed -n 's|^username = "\\(.*\\)"|\\1|p')" \\
                    -e 'INSERT INTO AM_STARTS VALUES (1)' "${data#*/}" || exit 1
                fi
                "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -jar "$home/lib/reference-gateway.jar" \\
                  --gateway.profile=apim --gateway.bind=%s --gateway.https-port=$((8243 + offset)) \\
                  --gateway.backend=%s --gateway.jwt-audience=%s \\
                  --gateway.jwt-public-key="$home/lib/jwt-public.pem" &
                echo $! >"$home/wso2carbon.pid"
                wait $!
                """.formatted(address, backend, CONSUMER)));
        entries.put("wso2am-9.9.9/dbscripts/apimgt/mysql.sql", text("CREATE TABLE AM_STARTS (ID INT);\n"));
        entries.put("wso2am-9.9.9/dbscripts/mysql.sql", text("CREATE TABLE REG_LOG (ID INT);\n"));
        entries.put("wso2am-9.9.9/bin/version.txt", text("WSO2 API Manager v9.9.9\n"));
        entries.put("wso2am-9.9.9/repository/conf/deployment.toml", text("""
                [super_admin]
                username = "admin"
                password = "another"
                [keystore.tls]
                file_name = "product.p12"
                password = "%s"
                alias = "wso2carbon"
                """.formatted(STORE_PASSWORD)));
        entries.put(
                "wso2am-9.9.9/repository/resources/security/product.p12",
                Files.readAllBytes(directory.resolve("product.p12")));
        entries.put("wso2am-9.9.9/lib/reference-gateway.jar", Files.readAllBytes(jar("reference-gateway")));
        entries.put("wso2am-9.9.9/lib/jwt-public.pem", text(key.publicKeyPem()));
        return zip("apim.zip", entries);
    }

    /** Makes the key store of the product and returns the key in it. */
    public SigningKey productKey() throws Exception {
        Path store = keyStore("product.p12", "wso2carbon", STORE_PASSWORD);
        return SigningKey.fromKeyStore(
                store, STORE_PASSWORD.toCharArray(), Optional.of("wso2carbon"), SigningKey.Algorithm.RS256);
    }

    /** Returns a pack of Micro Integrator. */
    Path mi() throws IOException {
        return integrator("wso2mi-9.9.9", "micro-integrator.sh", "WSO2 Micro Integrator 9.9.9");
    }

    /** Returns a pack of Enterprise Integrator. */
    Path ei() throws IOException {
        return integrator("wso2ei-9.9.9", "integrator.sh", "WSO2 Enterprise Integrator 9.9.9");
    }

    private Path integrator(String home, String script, String version) throws IOException {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put(home + "/bin/" + script, text("""
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                offset=70
                for word in "$@"; do case $word in -DportOffset=*) offset=${word#*=};; esac; done
                "$JAVA_HOME/bin/java" $JVM_MEM_OPTS $JAVA_OPTS -jar "$home/lib/synapse-gateway.jar" \\
                  --bind=127.0.0.1 --http-port=$((8280 + offset)) --https-port=$((8243 + offset)) \\
                  --config="$home/repository/deployment/server/synapse-configs/default" --work-dir="$home/tmp/engine" &
                echo $! >"$home/wso2carbon.pid"
                wait $!
                """));
        entries.put(home + "/bin/version.txt", text(version + "\n"));
        entries.put(home + "/tmp/empty", text(""));
        entries.put(home + "/lib/synapse-gateway.jar", Files.readAllBytes(jar("synapse-gateway")));
        return zip(home + ".zip", entries);
    }

    /** Returns a runtime of the Microgateway; what its toolkit calls a project is here the address of the back end. */
    Path microgateway() throws Exception {
        Map<String, byte[]> entries = new LinkedHashMap<>();
        entries.put("wso2am-micro-gw-9.9.9/bin/gateway", text("""
                #!/bin/sh
                home=$(cd "$(dirname "$0")/.." && pwd)
                value() { sed -n "s/^ *$1 = \\"\\{0,1\\}\\([^\\"]*\\)\\"\\{0,1\\}$/\\1/p" "$home/conf/micro-gw.conf"; }
                "$JAVA_HOME/bin/keytool" -exportcert -rfc -alias "$(value certificateAlias)" \\
                  -keystore "$home/%s" -storepass ballerina -file "$home/conf/issuer.pem" || exit 1
                "$JAVA_HOME/bin/java" -Xmx1G $JAVA_OPTS -jar "$home/lib/reference-gateway.jar" \\
                  --gateway.profile=microgateway --gateway.bind="$(value host)" \\
                  --gateway.https-port="$(value httpsPort)" --gateway.backend="$(cat "$1")" \\
                  --gateway.jwt-issuer="$(value issuer)" --gateway.jwt-audience="$(value audience)" \\
                  --gateway.jwt-public-key="$home/conf/issuer.pem" \\
                  --gateway.introspection-url="$(value serverUrl)/$(value tokenContext)/introspect" &
                echo $! >"$home/bin/gateway.pid"
                wait $!
                """.formatted(TRUST_STORE)));
        entries.put("wso2am-micro-gw-9.9.9/conf/micro-gw.conf", text("# as it was packed\n"));
        entries.put(
                "wso2am-micro-gw-9.9.9/" + TRUST_STORE,
                Files.readAllBytes(keyStore("ballerinaTruststore.p12", "ballerina", "ballerina")));
        entries.put("wso2am-micro-gw-9.9.9/lib/reference-gateway.jar", Files.readAllBytes(jar("reference-gateway")));
        return zip("microgateway.zip", entries);
    }

    /** Returns a toolkit of the Microgateway. */
    Path toolkit() throws IOException {
        return zip("toolkit.zip", Map.of("toolkit-9.9.9/bin/micro-gw", text("""
                #!/bin/sh
                "$JAVA_HOME/bin/java" -version || exit 1
                case $1 in
                  init) mkdir -p "$2/api_definitions";;
                  build) mkdir -p "$2/target" && sed -n '/urls:/{n;s/^ *- //p;}' "$2"/api_definitions/*.yaml \\
                    >"$2/target/$2.jar";;
                  *) exit 1;;
                esac
                """)));
    }

    private Path keyStore(String name, String alias, String password) throws IOException, InterruptedException {
        Path store = directory.resolve(name);
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        alias,
                        "-keyalg",
                        "RSA",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        password)
                .inheritIO()
                .start();
        assertThat(keytool.waitFor()).isZero();
        return store;
    }

    private Path zip(String name, Map<String, byte[]> entries) throws IOException {
        Path zip = directory.resolve(name);
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(zip))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new ZipEntry(entry.getKey()));
                out.write(entry.getValue());
                out.closeEntry();
            }
        }
        return zip;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** Returns the runnable jar of a module of this build. */
    static Path jar(String module) {
        return Path.of("..", module, "target", module + ".jar").toAbsolutePath().normalize();
    }
}
