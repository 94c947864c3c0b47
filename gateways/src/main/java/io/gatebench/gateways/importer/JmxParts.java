/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.w3c.dom.Element;

import io.gatebench.load.engine.steps.Template;

/** Reads what elements of a JMeter plan give to the requests of a sequence: values of answers, rows of data, weights. */
final class JmxParts {

    /** The weight of what every user does each time, beside the percents of throughput controllers. */
    static final int WHOLE = 100;

    private static final long MAX_DATA_BYTES = 64L << 20;
    private static final Pattern JSON_PATH =
            Pattern.compile("\\$((?:\\.[A-Za-z_][A-Za-z0-9_-]*|\\[\\d+]|\\['[^'\\]]+'])*)");
    private static final Pattern MEMBER = Pattern.compile("\\.([A-Za-z_][A-Za-z0-9_-]*)|\\[(\\d+)]|\\['([^'\\]]+)']");

    private JmxParts() {}

    /** Returns the variables that an element gives. */
    static Set<String> gives(Element part) {
        String names = switch (part.getTagName()) {
            case "CSVDataSet" -> Jmx.property(part, "variableNames");
            case "JSONPostProcessor" -> Jmx.property(part, "JSONPostProcessor.referenceNames");
            case "RegexExtractor" -> Jmx.property(part, "RegexExtractor.refname");
            case "BoundaryExtractor" -> Jmx.property(part, "BoundaryExtractor.refname");
            default -> "";
        };
        return Arrays.stream(names.split("[,;]"))
                .map(String::strip)
                .filter(name -> Template.NAME.matcher(name).matches())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns what an extractor takes from an answer; what has no place in a gateway file is said. */
    static List<Request.Taken> taken(Element part, Requests requests) {
        List<Request.Taken> taken = new ArrayList<>();
        List<String> names = List.copyOf(gives(part));
        String tag = part.getTagName();
        String called = tag + " '" + part.getAttribute("testname") + "'";
        if (!List.of("", "1").contains(Jmx.property(part, numberKey(tag)))) {
            requests.leftOut(called + ": that it takes another match than the first");
        }
        if (tag.equals("JSONPostProcessor")) {
            String[] paths =
                    Jmx.property(part, "JSONPostProcessor.jsonPathExprs").split(";");
            for (int i = 0; i < names.size(); i++) {
                Optional<String> pointer = i < paths.length ? pointer(paths[i].strip()) : Optional.empty();
                String name = names.get(i);
                pointer.ifPresentOrElse(
                        place -> taken.add(new Request.Taken(name, "json", place, Optional.empty())),
                        () -> requests.leftOut(
                                called + ": " + name + ", whose JSON path is more than members and indexes"));
            }
        } else if (names.size() == 1) {
            regex(part, called, requests)
                    .ifPresent(regex -> taken.add(new Request.Taken(names.get(0), "", "", Optional.of(regex))));
        }
        return taken;
    }

    private static String numberKey(String tag) {
        return tag.equals("JSONPostProcessor") ? tag + ".match_numbers" : tag + ".match_number";
    }

    private static Optional<String> regex(Element part, String called, Requests requests) {
        String where = Jmx.property(part, part.getTagName() + ".useHeaders");
        if (!where.isEmpty() && !where.equals("false")) {
            requests.leftOut(called + ": it looks elsewhere than in the body; say header and regex");
            return Optional.empty();
        }
        if (part.getTagName().equals("BoundaryExtractor")) {
            return Optional.of("(?s)" + literal(Jmx.property(part, "BoundaryExtractor.lboundary")) + "(.*?)"
                    + literal(Jmx.property(part, "BoundaryExtractor.rboundary")));
        }
        String template = Jmx.property(part, "RegexExtractor.template");
        String regex = Jmx.property(part, "RegexExtractor.regex");
        try {
            Pattern.compile(regex);
        } catch (java.util.regex.PatternSyntaxException e) {
            requests.leftOut(called + ": its regular expression is none of Java");
            return Optional.empty();
        }
        if (!template.equals("$1$")) {
            requests.leftOut(called + ": its template is not $1$");
            return Optional.empty();
        }
        return Optional.of(regex);
    }

    private static String literal(String text) {
        return text.replaceAll("([\\\\^$.|?*+()\\[\\]{}])", "\\\\$1");
    }

    /** A JSON path of members and indexes as a JSON pointer. */
    static Optional<String> pointer(String path) {
        if (!JSON_PATH.matcher(path).matches()) {
            return Optional.empty();
        }
        String pointer = MEMBER.matcher(path)
                .results()
                .map(m -> m.group(1) != null ? m.group(1) : m.group(2) != null ? m.group(2) : m.group(3))
                .map(name -> "/" + name.replace("~", "~0").replace("/", "~1"))
                .collect(Collectors.joining());
        return Optional.of(pointer).filter(text -> !text.isEmpty());
    }

    /** Returns the percent of a throughput controller that has one. */
    static Optional<Integer> percent(Element controller) {
        String text = Jmx.children(controller).stream()
                .filter(child -> child.getTagName().equals("FloatProperty"))
                .flatMap(child -> Jmx.children(child).stream())
                .filter(child -> child.getTagName().equals("value"))
                .map(org.w3c.dom.Node::getTextContent)
                .findFirst()
                .orElse("");
        boolean byPercent =
                Jmx.property(controller, "ThroughputController.style").equals("1");
        return byPercent && text.matches("\\d{1,3}(\\.\\d{1,6})?") && Double.parseDouble(text) >= 0.5
                ? Optional.of((int) Math.round(Double.parseDouble(text)))
                : Optional.empty();
    }

    /**
     * Returns the data of a CSV Data Set Config.
     *
     * @throws IOException if the file does not lie beside the plan or below, or has no names for its columns
     */
    static Requests.Data data(Element part, Path directory) throws IOException {
        String file = Jmx.property(part, "filename");
        Path path;
        try {
            path = directory.resolve(file).normalize();
        } catch (java.nio.file.InvalidPathException e) {
            throw new IOException("'" + file + "' is no path", e);
        }
        if (file.isEmpty()
                || !path.startsWith(directory)
                || !Files.isRegularFile(path)
                || !path.toRealPath().startsWith(directory.toRealPath())) {
            throw new IOException(
                    "the file '" + file + "' does not lie beside the plan or below; its requests can have it as"
                            + " data: of their scenario");
        }
        if (Files.size(path) > MAX_DATA_BYTES) {
            throw new IOException("the file '" + file + "' is larger than 64 MiB");
        }
        String delimiter = Jmx.property(part, "delimiter");
        if (!delimiter.isEmpty() && !delimiter.equals(",")) {
            throw new IOException("its delimiter is '" + delimiter + "', where data have commas");
        }
        String text;
        try {
            text = Files.readString(path);
        } catch (CharacterCodingException e) {
            throw new IOException("the file '" + file + "' is no text in UTF-8", e);
        }
        Set<String> names = gives(part);
        boolean skip = Jmx.property(part, "ignoreFirstLine").equals("true");
        int line = text.indexOf('\n');
        if (names.isEmpty()) {
            throw new IOException("it says no names of variables");
        }
        return new Requests.Data(
                names, String.join(",", names) + "\n" + (skip && line >= 0 ? text.substring(line + 1) : text));
    }
}
