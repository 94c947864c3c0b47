/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.runner.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.gatebench.model.FileDigest;
import io.gatebench.report.ab.AbWindow.Side;
import io.gatebench.spi.RunningGateway;
import io.gatebench.spi.role.RoleProcess;

/** Differences of two gateways that run, by their versions, their command lines and the files that these name. */
final class Differences {

    private static final int DIGEST_CHARACTERS = 12;
    /** Each container has a name of its own. */
    private static final String CONTAINER = "gatebench-[0-9a-f-]{12}(?![0-9a-f-])";

    private Differences() {}

    /**
     * Returns a sentence for each difference, or one that there is none; of one that was not started here its versions alone are
     * known.
     *
     * @param keys where the keys lie that each gateway was given, which differ by themselves
     * @param versions what each gateway says that it is made of
     */
    static List<String> of(
            Map<Side, RunningGateway> running, Map<Side, Path> keys, Map<Side, Map<String, String>> versions) {
        List<String> sentences = new ArrayList<>();
        Map<String, String> ofB = versions.get(Side.B);
        versions.get(Side.A).forEach((what, a) -> {
            String b = ofB.getOrDefault(what, "none that is known");
            if (!a.equals(b)) {
                sentences.add("The versions differ: the " + what + " is " + a + " in A, " + b + " in B.");
            }
        });
        Map<Side, List<String>> words = new EnumMap<>(Side.class);
        Map<Side, Map<String, Path>> files = new EnumMap<>(Side.class);
        for (Map.Entry<Side, RunningGateway> entry : running.entrySet()) {
            Optional<RoleProcess> process = entry.getValue().process();
            if (process.isEmpty()) {
                return sentences;
            }
            Path own = keys.get(entry.getKey());
            words.put(
                    entry.getKey(),
                    words(process.get(), entry.getValue().target().getPort(), own));
            files.put(entry.getKey(), files(process.get(), own));
        }
        List<String> onlyA = without(words.get(Side.A), words.get(Side.B));
        List<String> onlyB = without(words.get(Side.B), words.get(Side.A));
        if (!onlyA.isEmpty() || !onlyB.isEmpty()) {
            sentences.add("The command lines differ: A has " + listed(onlyA) + ", B has " + listed(onlyB) + ".");
        }
        files.get(Side.A).forEach((name, file) -> {
            Path other = files.get(Side.B).get(name);
            if (other != null && !digest(file).equals(digest(other))) {
                sentences.add("The file " + name + " differs: SHA-256 " + digest(file) + " in A, " + digest(other)
                        + " in B.");
            }
        });
        boolean here = running.values().stream()
                .allMatch(gateway -> gateway.process().orElseThrow().host().isLocal());
        return sentences.isEmpty()
                ? List.of("Nothing that is known differs between A and B: their command lines "
                        + (here
                                ? "and the files that these name are the same."
                                : "are the same; the files that these name lie on hosts and were not looked at."))
                : sentences;
    }

    private static List<String> words(RoleProcess process, int port, Path keys) {
        return process.command().stream()
                .map(word -> word.replace(keys.toString(), "{keys}")
                        .replace(process.directory(), "{directory}")
                        .replace(process.host().workDirectory(), "{directory}")
                        .replaceAll(CONTAINER, "{container}")
                        .replaceAll("^-DportOffset=\\d+$", "-DportOffset={port}")
                        .replaceAll("(?<!\\d)" + port + "(?!\\d)", "{port}"))
                .toList();
    }

    private static Map<String, Path> files(RoleProcess process, Path keys) {
        if (!process.host().isLocal()) {
            return Map.of();
        }
        return process.command().stream()
                .flatMap(word -> List.of(word.split("[=:]")).stream())
                .filter(word -> word.contains("/"))
                .map(Path::of)
                .filter(file -> !file.startsWith(keys) && Files.isRegularFile(file))
                .collect(Collectors.toMap(
                        file -> file.getFileName().toString(), file -> file, (one, other) -> one, TreeMap::new));
    }

    private static List<String> without(List<String> words, List<String> others) {
        List<String> rest = new ArrayList<>(words);
        others.forEach(rest::remove);
        return rest;
    }

    private static String listed(List<String> words) {
        return words.isEmpty() ? "nothing more" : String.join(" ", words);
    }

    private static String digest(Path file) {
        try {
            return FileDigest.sha256(file).substring(0, DIGEST_CHARACTERS);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
