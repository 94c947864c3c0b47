/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.spi.role;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarInputStream;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/** Makes the runnable jar of the echo back end from the program's own jar, which so holds its classes once. */
final class EchoJar {

    private static final String MAIN = "io.gatebench.echo.EchoServerMain";
    private static final List<String> PARTS = List.of(
            "io/gatebench/certificate/",
            "io/gatebench/echo/",
            "io/netty/",
            "org/HdrHistogram/",
            "org/jspecify/",
            "org/slf4j/",
            "picocli/",
            "META-INF/native/");
    /** The logging of the back end, which is not that of the program. */
    private static final String LOGGING = "lib/slf4j-simple.jar";

    private EchoJar() {}

    /** Returns whether a jar holds the echo back end and all that it needs, as the program's does. */
    static boolean isIn(Path jar) throws IOException {
        if (!Files.isRegularFile(jar)) {
            return false;
        }
        try (JarFile file = new JarFile(jar.toFile(), false)) {
            return file.getEntry(MAIN.replace('.', '/') + ".class") != null && file.getEntry(LOGGING) != null;
        }
    }

    /** Writes the jar; the same program gives the same bytes, so that hosts get them once. */
    static void write(Path program, Path target) throws IOException {
        try (JarFile from = new JarFile(program.toFile(), false);
                JarOutputStream to = new JarOutputStream(Files.newOutputStream(target))) {
            put(to, JarFile.MANIFEST_NAME, manifest(from));
            try (JarInputStream logging = new JarInputStream(from.getInputStream(from.getEntry(LOGGING)))) {
                for (JarEntry entry = logging.getNextJarEntry(); entry != null; entry = logging.getNextJarEntry()) {
                    String name = entry.getName();
                    if (!entry.isDirectory() && (name.startsWith("org/") || name.startsWith("META-INF/services/"))) {
                        put(to, name, logging.readAllBytes());
                    }
                }
            }
            for (JarEntry entry : from.stream()
                    .filter(each -> !each.isDirectory())
                    .filter(each -> PARTS.stream().anyMatch(each.getName()::startsWith))
                    .sorted(Comparator.comparing(JarEntry::getName))
                    .toList()) {
                JarEntry copy = new JarEntry(entry.getName());
                // Compressing all of it again would take longer than the back end takes to start.
                copy.setMethod(ZipEntry.STORED);
                copy.setSize(entry.getSize());
                copy.setCrc(entry.getCrc());
                copy.setTime(0);
                to.putNextEntry(copy);
                try (InputStream in = from.getInputStream(entry)) {
                    in.transferTo(to);
                }
                to.closeEntry();
            }
        }
    }

    private static byte[] manifest(JarFile program) throws IOException {
        Manifest manifest = new Manifest();
        Attributes main = manifest.getMainAttributes();
        main.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        main.put(Attributes.Name.MAIN_CLASS, MAIN);
        main.put(Attributes.Name.MULTI_RELEASE, "true");
        main.put(new Attributes.Name("Enable-Native-Access"), "ALL-UNNAMED");
        main.put(Attributes.Name.IMPLEMENTATION_TITLE, "gatebench-echo-backend");
        String version = program.getManifest().getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION);
        if (version != null) {
            main.put(Attributes.Name.IMPLEMENTATION_VERSION, version);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        manifest.write(bytes);
        return bytes.toByteArray();
    }

    private static void put(JarOutputStream to, String name, byte[] content) throws IOException {
        JarEntry entry = new JarEntry(name);
        entry.setTime(0);
        to.putNextEntry(entry);
        to.write(content);
        to.closeEntry();
    }
}
