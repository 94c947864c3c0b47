/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.synapse;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder that the engine is started from.
 *
 * <p>It holds {@code axis2.xml} (transports), {@code identity.p12} (the HTTPS certificate), {@code repository} (empty
 * folders that Axis2 asks for) and {@code synapse-configs/default}, laid out as on a Micro Integrator: one XML file for
 * each proxy service, API, sequence and endpoint.
 *
 * @param directory absolute path of the folder
 */
record SynapseHome(Path directory) {
    private static final String MARKER = ".synapse-gateway";
    private static final Pattern ADDRESS = Pattern.compile("(<address\\b[^>]*\\buri=\")[^\"]*(\")");

    Path axis2Xml() {
        return directory.resolve("axis2.xml");
    }

    Path repository() {
        return directory.resolve("repository");
    }

    Path configuration() {
        return directory.resolve("synapse-configs").resolve("default");
    }

    Path temporary() {
        return directory.resolve("tmp");
    }

    /**
     * Writes the folder anew.
     *
     * @param settings what to serve
     * @param readyToken what the readiness proxy answers, which tells this process from any other on the same port
     * @throws GatewayException if the folder is not empty and was not made here, or cannot be written
     */
    void write(GatewaySettings settings, String readyToken, Clock clock) {
        try {
            claim();
            Files.createDirectories(repository().resolve("services"));
            Files.createDirectories(repository().resolve("modules"));
            Files.createDirectories(temporary());
            writeConfiguration(settings);
            writeIfAbsent("sequences/main.xml", BundledText.read("home/main.xml"));
            writeIfAbsent("sequences/fault.xml", BundledText.read("home/fault.xml"));
            writeIfAbsent(
                    "sequences/_resource_mismatch_handler_.xml",
                    BundledText.read("home/_resource_mismatch_handler_.xml"));
            writeIfAbsent(
                    "proxy-services/GatebenchReady.xml",
                    BundledText.read("home/GatebenchReady.xml").replace("@token@", readyToken));
            writeTransports(settings, clock);
        } catch (IOException e) {
            throw new GatewayException("cannot write work directory " + directory + ": " + e.getMessage(), e);
        }
    }

    /** Makes it the folder of a gateway, if it is new, empty, or was one. */
    void claim() throws IOException {
        Files.createDirectories(directory);
        try (Stream<Path> entries = Files.list(directory)) {
            if (entries.findAny().isPresent() && !Files.exists(directory.resolve(MARKER))) {
                throw new GatewayException("work directory " + directory
                        + " is not empty and was not made by synapse-gateway; give --work-dir a new or empty one");
            }
        }
        Files.writeString(directory.resolve(MARKER), "");
        // What an earlier start left would be deployed again.
        deleteTree(configuration());
    }

    private void writeConfiguration(GatewaySettings settings) throws IOException {
        if (settings.config().isPresent()) {
            copyTree(settings.config().get(), configuration());
        }
        ScenarioCatalogue catalogue = ScenarioCatalogue.bundled();
        for (String file : settings.config().isPresent() ? catalogue.sharedFiles() : catalogue.deployedFiles()) {
            writeIfAbsent(file, BundledText.read("synapse-configs/default/" + file));
        }
        if (settings.backend().isPresent()) {
            for (String name : new String[] {"EchoService.xml", "EchoServiceSoap.xml"}) {
                Path endpoint = configuration().resolve("endpoints").resolve(name);
                if (Files.exists(endpoint)) {
                    setAddress(endpoint, settings.backend().get());
                }
            }
        }
    }

    private void writeIfAbsent(String name, String text) throws IOException {
        Path file = configuration().resolve(name);
        if (!Files.exists(file)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        }
    }

    private static void copyTree(Path source, Path target) throws IOException {
        try (Stream<Path> files = Files.walk(source)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path copy = target.resolve(source.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        }
    }

    private static void setAddress(Path endpoint, URI backend) throws IOException {
        Matcher address = ADDRESS.matcher(Files.readString(endpoint));
        if (!address.find()) {
            throw new GatewayException(endpoint.getFileName() + " has no <address uri=\"..\"> to put --backend into");
        }
        Files.writeString(
                endpoint, address.replaceFirst("$1" + Matcher.quoteReplacement(xml(backend.toString())) + "$2"));
    }

    private void writeTransports(GatewaySettings settings, Clock clock) throws IOException {
        Path keyStore = directory.resolve("identity.p12");
        createPrivate(keyStore);
        createPrivate(axis2Xml());
        Identity identity =
                settings.keyStore().map(Identity::load).orElseGet(() -> Identity.selfSigned(settings.bind(), clock));
        String password = identity.write(keyStore);
        Files.writeString(
                axis2Xml(),
                BundledText.read("home/axis2.xml")
                        .replace("@httpPort@", Integer.toString(settings.httpPort()))
                        .replace("@httpsPort@", Integer.toString(settings.httpsPort()))
                        .replace("@bindAddress@", xml(settings.bind().getHostAddress()))
                        .replace("@keyStore@", xml(keyStore.toString()))
                        .replace("@keyStorePassword@", password)
                        // An echo back end on https has a certificate of its own making.
                        .replace("@anyBackendCertificate@", Boolean.toString(hasHttpsBackend(settings))));
    }

    private static boolean hasHttpsBackend(GatewaySettings settings) {
        return settings.backend()
                .map(backend -> backend.getScheme().equalsIgnoreCase("https"))
                .orElse(false);
    }

    private static void createPrivate(Path file) throws IOException {
        Files.deleteIfExists(file);
        if (file.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } else {
            Files.createFile(file);
        }
    }

    private static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
    }

    /** Deletes the whole folder; what cannot be deleted is left. */
    void delete() {
        try {
            deleteTree(directory);
        } catch (IOException e) {
            System.getLogger(SynapseHome.class.getName())
                    .log(System.Logger.Level.WARNING, "cannot remove {0}: {1}", directory, e.getMessage());
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files.sorted(Comparator.reverseOrder())::iterator) {
                Files.deleteIfExists(file);
            }
        }
    }
}
