/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

import oshi.SystemInfo;
import oshi.hardware.CentralProcessor;

import io.gatebench.model.SystemInformation;

/**
 * Makes the rows of the published system information table from {@code /proc} and {@code /sys}, of this machine without them
 * by OSHI; needs no root.
 */
final class LinuxSystemInformation {

    private static final String KERNEL = "kernel";
    private static final String FIRMWARE = "/sys/firmware/dmi/tables/DMI";
    /** The entry of the BIOS is the first in practice. */
    private static final int FIRMWARE_BYTES = 4096;
    /** Offset at which the entry of the BIOS holds its size. */
    private static final int BIOS_SIZE = 9;

    private final Map<String, String> files;

    private LinuxSystemInformation(Map<String, String> files) {
        this.files = new TreeMap<>(files);
    }

    /** Returns the rows of this machine. */
    static SystemInformation read(String host) {
        if (!LocalSystem.hasProc()) {
            return byOshi(host);
        }
        Map<String, String> files = new LinkedHashMap<>();
        for (String file : List.of("/proc/cpuinfo", "/proc/meminfo", "/etc/os-release")) {
            keep(files, Path.of(file));
        }
        Path blocks = Path.of("/sys/block");
        if (Files.isDirectory(blocks)) {
            try (DirectoryStream<Path> devices = Files.newDirectoryStream(blocks)) {
                devices.forEach(device -> keep(files, device.resolve("size")));
            } catch (IOException e) {
                files.keySet().removeIf(name -> name.startsWith("/sys/block/"));
            }
        }
        files.put(KERNEL, uname().orElseGet(LinuxSystemInformation::kernelOfJvm));
        firmware().ifPresent(bytes -> files.put(FIRMWARE, HexFormat.of().formatHex(bytes)));
        return new LinuxSystemInformation(files).rows(host, Runtime.getRuntime().availableProcessors());
    }

    private static SystemInformation byOshi(String host) {
        SystemInfo system = new SystemInfo();
        CentralProcessor processor = system.getHardware().getProcessor();
        int cores = Math.max(1, processor.getPhysicalProcessorCount());
        int sockets = Math.max(1, processor.getPhysicalPackageCount());
        return new SystemInformation(
                host,
                List.of(
                        row("System", "Processor", "CPU(s)", String.valueOf(processor.getLogicalProcessorCount())),
                        row(
                                "System",
                                "Processor",
                                "Thread(s) per core",
                                String.valueOf(Math.max(1, processor.getLogicalProcessorCount() / cores))),
                        row("System", "Processor", "Core(s) per socket", String.valueOf(cores / sockets)),
                        row("System", "Processor", "Socket(s)", String.valueOf(sockets)),
                        row(
                                "System",
                                "Processor",
                                "Model name",
                                processor.getProcessorIdentifier().getName()),
                        row(
                                "System",
                                "Memory",
                                "System Memory",
                                String.format(
                                        Locale.ROOT,
                                        "%.0f GiB",
                                        system.getHardware().getMemory().getTotal() / (double) (1L << 30))),
                        row(
                                "Operating System",
                                "Distribution",
                                "Release",
                                system.getOperatingSystem().toString()),
                        row("Operating System", "Distribution", "Kernel", kernelOfJvm())));
    }

    private static String kernelOfJvm() {
        return System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch");
    }

    private static Optional<String> uname() {
        try {
            Process process = new ProcessBuilder("uname", "-a")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String line = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return Optional.of(line).filter(text -> !text.isEmpty());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Only root may read it. */
    private static Optional<byte[]> firmware() {
        try (InputStream in = Files.newInputStream(Path.of(FIRMWARE))) {
            return Optional.of(in.readNBytes(FIRMWARE_BYTES));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Returns the rows of a host that printed its files, each after a line {@code ==> name <==}. */
    static SystemInformation parse(String host, String text) {
        Map<String, String> files = new LinkedHashMap<>();
        String name = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("==> ") && line.endsWith(" <==")) {
                name = line.substring(4, line.length() - 4);
            } else {
                files.merge(name, line + "\n", String::concat);
            }
        }
        int processors = (int) files.getOrDefault("/proc/cpuinfo", "")
                .lines()
                .filter(l -> l.startsWith("processor"))
                .count();
        return new LinuxSystemInformation(files).rows(host, processors);
    }

    private static void keep(Map<String, String> files, Path file) {
        try {
            files.put(file.toString(), new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
        } catch (IOException e) {
            files.remove(file.toString());
        }
    }

    private SystemInformation rows(String host, int processors) {
        List<SystemInformation.Row> rows = new ArrayList<>();
        cpu(rows, processors);
        text(FIRMWARE)
                .flatMap(LinuxSystemInformation::biosKibibytes)
                .ifPresent(size -> rows.add(row("System", "Memory", "BIOS", size + " KiB")));
        text("/proc/meminfo")
                .flatMap(t -> value(t, "MemTotal"))
                .map(total -> total.replaceAll("\\D", ""))
                .filter(total -> !total.isEmpty())
                .ifPresent(total -> rows.add(row(
                        "System",
                        "Memory",
                        "System Memory",
                        String.format(Locale.ROOT, "%.0f GiB", Long.parseLong(total) / 1048576.0))));
        disks(rows);
        text("/etc/os-release")
                .flatMap(
                        t -> t.lines().filter(l -> l.startsWith("PRETTY_NAME=")).findFirst())
                .ifPresent(l -> rows.add(row(
                        "Operating System",
                        "Distribution",
                        "Release",
                        l.substring("PRETTY_NAME=".length()).replace("\"", ""))));
        text(KERNEL).ifPresent(kernel -> rows.add(row("Operating System", "Distribution", "Kernel", kernel.trim())));
        return new SystemInformation(host, rows);
    }

    private void cpu(List<SystemInformation.Row> rows, int processors) {
        rows.add(row("System", "Processor", "CPU(s)", String.valueOf(processors)));
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

    /**
     * Returns the size of the BIOS by the table that the firmware describes itself in, whose entry of type 0 counts in steps
     * of 64 KiB; nothing where it is too large for that count.
     */
    private static Optional<Integer> biosKibibytes(String hex) {
        String digits = hex.replaceAll("\\s", "");
        byte[] table = HexFormat.of().parseHex(digits.matches("(?:[0-9a-fA-F]{2})*") ? digits : "");
        int at = 0;
        while (at + BIOS_SIZE < table.length) {
            int length = table[at + 1] & 0xff;
            if (table[at] == 0 && length > BIOS_SIZE) {
                int steps = table[at + BIOS_SIZE] & 0xff;
                return steps == 0xff ? Optional.empty() : Optional.of(64 * (steps + 1));
            }
            // Texts follow each entry; two zeros end them.
            at += Math.max(length, 4);
            while (at + 1 < table.length && (table[at] != 0 || table[at + 1] != 0)) {
                at++;
            }
            at += 2;
        }
        return Optional.empty();
    }

    private void disks(List<SystemInformation.Row> rows) {
        Stream<Map.Entry<String, String>> blocks =
                files.entrySet().stream().filter(f -> f.getKey().matches("/sys/block/[^/]+/size"));
        blocks.forEach(file -> {
            String name = file.getKey().split("/")[3];
            String sectors = file.getValue().trim();
            if (name.matches("(loop|ram|zram|sr|fd|dm-).*") || !sectors.matches("\\d+")) {
                return;
            }
            // /sys counts in sectors of 512 bytes whatever the device's own sector size is.
            double gibibytes = Long.parseLong(sectors) * 512.0 / (1L << 30);
            rows.add(row("System", "Storage", "Block Device: " + name, String.format(Locale.ROOT, "%.0fG", gibibytes)));
        });
    }

    private Optional<String> text(String file) {
        return Optional.ofNullable(files.get(file)).filter(text -> !text.isBlank());
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
