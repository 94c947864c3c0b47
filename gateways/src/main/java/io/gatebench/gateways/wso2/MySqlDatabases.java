/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.wso2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.gatebench.spi.host.Host;
import io.gatebench.spi.role.RoleStartException;

/**
 * The two databases of an API Manager on a MySQL server, made by the command {@code mysql} of the gateway's host.
 *
 * <p>The password goes to that command in an option file and to the product in its environment: neither a command
 * line nor the product's configuration holds it.
 */
final class MySqlDatabases {

    /** The environment variable from which the product takes the password. */
    static final String PASSWORD_VARIABLE = "GATEBENCH_DATABASE_PASSWORD";

    private static final Duration STATEMENTS = Duration.ofMinutes(5);
    private static final String IMPORT = "exec mysql --defaults-extra-file=\"$0\" \"$1\" <\"$2\"";

    private final Host host;
    private final ProductSettings.Server server;
    private final String prefix;
    private final String password;
    private final String directory;

    /**
     * Creates them.
     *
     * @param prefix how their names begin
     * @param directory a private directory on the host
     */
    MySqlDatabases(Host host, ProductSettings.Server server, String prefix, String password, String directory) {
        this.host = host;
        this.server = server;
        this.prefix = prefix;
        this.password = password;
        this.directory = directory;
    }

    private String apim() {
        return prefix + "apim_db";
    }

    private String shared() {
        return prefix + "shared_db";
    }

    /**
     * Makes both databases with the tables of the product.
     *
     * @throws RoleStartException if one exists already, which is refused and not touched, or a statement fails; what was
     *     made by then is dropped again
     */
    void create(String home) {
        List<String> made = new ArrayList<>();
        String options = writeOptions();
        try {
            for (String name : List.of(apim(), shared())) {
                statement(
                        options,
                        "create the database " + name + " (drop it if it is left from an earlier run)",
                        "CREATE DATABASE `" + name + "` CHARACTER SET latin1");
                made.add(name);
            }
            importScript(options, apim(), home + "/dbscripts/apimgt/mysql.sql");
            importScript(options, shared(), home + "/dbscripts/mysql.sql");
        } catch (RoleStartException e) {
            dropAfter(e, options, made);
            throw e;
        } finally {
            HostFiles.run(host, "remove " + options, List.of("rm", "-f", options));
        }
    }

    private void dropAfter(RoleStartException failure, String options, List<String> made) {
        for (String name : made) {
            try {
                drop(options, name);
            } catch (RoleStartException e) {
                failure.addSuppressed(e);
            }
        }
    }

    private void importScript(String options, String name, String script) {
        HostFiles.run(
                host,
                "make the tables of " + name,
                List.of("/bin/sh", "-c", IMPORT, options, name, script),
                STATEMENTS);
    }

    /** Drops both databases. */
    void drop() {
        String options = writeOptions();
        try {
            drop(options, apim());
            drop(options, shared());
        } finally {
            HostFiles.run(host, "remove " + options, List.of("rm", "-f", options));
        }
    }

    private void drop(String options, String name) {
        statement(options, "drop the database " + name, "DROP DATABASE `" + name + "`");
    }

    private void statement(String options, String what, String sql) {
        HostFiles.run(host, what, List.of("mysql", "--defaults-extra-file=" + options, "-e", sql), STATEMENTS);
    }

    /** Returns the tables of {@code deployment.toml} that lead the product to the databases. */
    Map<String, Map<String, String>> configuration() {
        Map<String, Map<String, String>> tables = new LinkedHashMap<>();
        tables.put("database.apim_db", table(apim()));
        tables.put("database.shared_db", table(shared()));
        return tables;
    }

    private Map<String, String> table(String name) {
        Map<String, String> table = new LinkedHashMap<>();
        table.put("type", "mysql");
        table.put(
                "url",
                "jdbc:mysql://" + server.host() + ":" + server.port() + "/" + name
                        + (server.tls() ? "?sslMode=PREFERRED" : "?useSSL=false"));
        table.put("username", server.user());
        table.put("password", "$env{" + PASSWORD_VARIABLE + "}");
        table.put("driver", "com.mysql.cj.jdbc.Driver");
        return table;
    }

    private String writeOptions() {
        host.createDirectory(directory);
        String options = directory + "/mysql.cnf";
        // In an option file a backslash and a quote within quotes are escaped by a backslash.
        String escaped = password.replace("\\", "\\\\").replace("\"", "\\\"");
        HostFiles.write(
                host,
                options,
                "[client]\nhost=" + server.host() + "\nport=" + server.port() + "\nuser=" + server.user()
                        + "\npassword=\"" + escaped + "\"\n"
                        // MySQL's own command does so by itself, that of MariaDB has to be told.
                        + (server.tls() ? "loose-ssl=1\nloose-ssl-verify-server-cert=0\n" : ""));
        return options;
    }
}
