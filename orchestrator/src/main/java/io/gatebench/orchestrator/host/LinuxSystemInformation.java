/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.orchestrator.host;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import io.gatebench.model.SystemInformation;

/** Reads the rows of the published system information table from this machine's {@code /proc} and {@code /sys}. */
final class LinuxSystemInformation {

    private LinuxSystemInformation() {}

    /** Returns the rows that can be known without root; on another system those that the JVM knows. */
    static SystemInformation read(String host) {
        List<SystemInformation.Row> rows = new ArrayList<>();
        cpu(rows);
        text("/proc/meminfo").flatMap(t -> value(t, "MemTotal")).ifPresent(total -> {
            long kibibytes = Long.parseLong(total.replaceAll("\\D", ""));
            rows.add(row(
                    "System", "Memory", "System Memory", String.format(Locale.ROOT, "%.0fGiB", kibibytes / 1048576.0)));
        });
        disks(rows);
        text("/etc/os-release")
                .flatMap(
                        t -> t.lines().filter(l -> l.startsWith("PRETTY_NAME=")).findFirst())
                .ifPresent(l -> rows.add(row(
                        "Operating System",
                        "Distribution",
                        "Release",
                        l.substring("PRETTY_NAME=".length()).replace("\"", ""))));
        rows.add(row(
                "Operating System",
                "Distribution",
                "Kernel",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch")));
        return new SystemInformation(host, rows);
    }

    private static void cpu(List<SystemInformation.Row> rows) {
        rows.add(row(
                "System",
                "Processor",
                "CPU(s)",
                String.valueOf(Runtime.getRuntime().availableProcessors())));
        Optional<String> info = text("/proc/cpuinfo");
        if (info.isEmpty()) {
            return;
        }
        Set<String> sockets = new HashSet<>();
        info.get()
                .lines()
                .filter(l -> l.startsWith("physical id"))
                .forEach(l -> sockets.add(l.substring(l.indexOf(':') + 1).trim()));
        Optional<String> cores = value(info.get(), "cpu cores");
        Optional<String> siblings = value(info.get(), "siblings");
        if (cores.isPresent() && siblings.isPresent()) {
            int threads = Integer.parseInt(siblings.get()) / Math.max(1, Integer.parseInt(cores.get()));
            rows.add(row("System", "Processor", "Thread(s) per core", String.valueOf(Math.max(1, threads))));
            rows.add(row("System", "Processor", "Core(s) per socket", cores.get()));
            rows.add(row("System", "Processor", "Socket(s)", String.valueOf(Math.max(1, sockets.size()))));
        }
        value(info.get(), "model name").ifPresent(m -> rows.add(row("System", "Processor", "Model name", m)));
    }

    private static void disks(List<SystemInformation.Row> rows) {
        Path blocks = Path.of("/sys/block");
        if (!Files.isDirectory(blocks)) {
            return;
        }
        List<SystemInformation.Row> found = new ArrayList<>();
        try (DirectoryStream<Path> devices = Files.newDirectoryStream(blocks)) {
            for (Path device : devices) {
                String name = device.getFileName().toString();
                Optional<String> sectors = text(device.resolve("size").toString());
                if (name.matches("(loop|ram|zram|sr|fd|dm-).*") || sectors.isEmpty()) {
                    continue;
                }
                // /sys counts in sectors of 512 bytes whatever the device's own sector size is.
                double gibibytes = Long.parseLong(sectors.get().trim()) * 512.0 / (1L << 30);
                found.add(row(
                        "System", "Storage", "Block Device: " + name, String.format(Locale.ROOT, "%.0fG", gibibytes)));
            }
        } catch (IOException e) {
            return;
        }
        found.sort((a, b) -> a.description().compareTo(b.description()));
        rows.addAll(found);
    }

    private static Optional<String> text(String file) {
        try {
            return Optional.of(new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> value(String text, String key) {
        return text.lines()
                .filter(l -> l.startsWith(key))
                .map(l -> l.substring(l.indexOf(':') + 1).trim())
                .findFirst();
    }

    private static SystemInformation.Row row(String systemClass, String subclass, String description, String value) {
        return new SystemInformation.Row(systemClass, subclass, description, value);
    }
}
