/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

import io.gatebench.hosts.LocalHost;
import io.gatebench.spi.role.RoleStartException;

/** The databases of API Manager on a real server, MariaDB of Debian's packages, in a directory of its own. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MySqlDatabasesIT {

    private static final String USER = "product";
    // What an option file and a shell would have to escape.
    private static final String PASSWORD = "a \"b\" \\c $d 'e' #f";
    private static final Secret NOWHERE = Secret.environment("UNUSED");

    private Path directory;
    private LocalHost host;
    private Process server;
    private int port;
    private Path socket;

    @BeforeAll
    void startServer(@TempDir Path temporary) throws Exception {
        directory = temporary;
        Optional<Path> daemon = onPath("mariadbd");
        assumeThat(daemon).as("mariadbd is not there; install mariadb-server").isPresent();
        Path base = daemon.get().toRealPath().getParent().getParent();
        host = new LocalHost(directory.resolve("work"));
        Path data = directory.resolve("data");
        socket = directory.resolve("socket");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            port = free.getLocalPort();
        }
        run(
                "mariadb-install-db",
                "--no-defaults",
                "--basedir=" + base,
                "--datadir=" + data,
                "--user=" + System.getProperty("user.name"),
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
        Path log = directory.resolve("server.log");
        server = new ProcessBuilder(
                        daemon.get().toString(),
                        "--no-defaults",
                        "--basedir=" + base,
                        "--datadir=" + data,
                        "--user=" + System.getProperty("user.name"),
                        "--bind-address=127.0.0.1",
                        "--port=" + port,
                        "--socket=" + socket)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (!Files.readString(log).contains("ready for connections")) {
            assertThat(server.isAlive() && System.nanoTime() < deadline)
                    .as(Files.readString(log))
                    .isTrue();
            Thread.sleep(50);
        }
        ask("CREATE USER '" + USER + "'@'%' IDENTIFIED BY '"
                + PASSWORD.replace("\\", "\\\\").replace("'", "''") + "'");
        ask("GRANT ALL ON `gatebench\\_%`.* TO '" + USER + "'@'%'");
    }

    @AfterAll
    void stopServer() throws InterruptedException {
        if (server != null) {
            server.destroy();
            assertThat(server.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
        if (host != null) {
            host.close();
        }
    }

    @AfterEach
    void dropWhatIsLeft() throws Exception {
        for (String name : existing().lines().toList()) {
            ask("DROP DATABASE " + name);
        }
    }

    @Test
    void makesBothWithTheirTablesAndDropsThemAgain() throws Exception {
        MySqlDatabases databases = databases();

        databases.create(home("CREATE TABLE AM_API (ID INT)", "CREATE TABLE REG_LOG (ID INT)"));

        assertThat(ask("SELECT table_schema, table_name FROM information_schema.tables"
                        + " WHERE table_schema LIKE 'gatebench%' ORDER BY 1"))
                .isEqualTo("gatebench_apim_db\tAM_API\ngatebench_shared_db\tREG_LOG\n");
        assertThat(databases.configuration().get("database.apim_db"))
                .containsEntry("url", "jdbc:mysql://127.0.0.1:" + port + "/gatebench_apim_db?useSSL=false")
                .containsEntry("username", USER)
                .doesNotContainValue(PASSWORD);
        requireNoPasswordLeft();

        databases.drop();

        assertThat(existing()).isEmpty();
        requireNoPasswordLeft();
    }

    @Test
    void worksWhereTheWayMayBeEncryptedAndTheServerCannot() throws Exception {
        MySqlDatabases databases = databases(true);

        databases.create(home("CREATE TABLE AM_API (ID INT)", "CREATE TABLE REG_LOG (ID INT)"));

        assertThat(databases.configuration().get("database.shared_db"))
                .containsEntry("url", "jdbc:mysql://127.0.0.1:" + port + "/gatebench_shared_db?sslMode=PREFERRED");
        databases.drop();
        assertThat(existing()).isEmpty();
        requireNoPasswordLeft();
    }

    @Test
    void refusesOneThatExistsAndLeavesItAlone() throws Exception {
        ask("CREATE DATABASE gatebench_shared_db");
        ask("CREATE TABLE gatebench_shared_db.MINE (ID INT)");

        assertThatThrownBy(() -> databases().create(home("", "")))
                .isInstanceOf(RoleStartException.class)
                .hasMessageContaining(
                        "cannot create the database gatebench_shared_db (drop it if it is left from an earlier run)")
                .hasMessageContaining("database exists");

        assertThat(existing()).isEqualTo("gatebench_shared_db\n");
        assertThat(ask("SHOW TABLES IN gatebench_shared_db")).isEqualTo("MINE\n");
        requireNoPasswordLeft();
    }

    @Test
    void saysWhichTablesCannotBeMadeAndLeavesNothing() throws Exception {
        assertThatThrownBy(() -> databases().create(home("CREATE TABLE AM_API (ID INT)", "CREATE TABEL X (ID INT)")))
                .isInstanceOf(RoleStartException.class)
                .hasMessageContaining("cannot make the tables of gatebench_shared_db on localhost")
                .hasMessageContaining("You have an error in your SQL syntax");

        assertThat(existing()).isEmpty();
        requireNoPasswordLeft();
    }

    private MySqlDatabases databases() {
        return databases(false);
    }

    private MySqlDatabases databases(boolean tls) {
        return new MySqlDatabases(
                host,
                new ProductSettings.Server("127.0.0.1", port, USER, NOWHERE, tls),
                "gatebench_",
                PASSWORD,
                directory.resolve("work/secrets").toString());
    }

    private String home(String apim, String shared) throws IOException {
        Path scripts = directory.resolve("home/dbscripts");
        Files.createDirectories(scripts.resolve("apimgt"));
        Files.writeString(scripts.resolve("apimgt/mysql.sql"), apim + "\n");
        Files.writeString(scripts.resolve("mysql.sql"), shared + "\n");
        return directory.resolve("home").toString();
    }

    private String existing() throws Exception {
        return ask("SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'gatebench%'");
    }

    private void requireNoPasswordLeft() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("work"))) {
            assertThat(files.filter(Files::isRegularFile)).isEmpty();
        }
    }

    private String ask(String sql) throws Exception {
        return run("mariadb", "--no-defaults", "--socket=" + socket, "--user=root", "--batch", "-N", "-e", sql);
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor())
                .as(new ArrayList<>(List.of(command)) + "\n" + output)
                .isZero();
        return output;
    }

    private static Optional<Path> onPath(String name) {
        return Stream.concat(Stream.of(System.getenv("PATH").split(":")), Stream.of("/usr/sbin"))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }
}
