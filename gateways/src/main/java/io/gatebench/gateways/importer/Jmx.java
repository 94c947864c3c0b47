/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gateways.importer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * Reads the HTTP requests of a JMeter plan as XML, without JMeter: no class of a plan is loaded, no function called.
 *
 * <p>Variables that the plan defines are put in. A request that needs another one is left out: sent with its name in place
 * of its value, it would be another request.
 */
final class Jmx {

    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([^}]*)}");
    private static final int MATCHES = 1;
    private static final int CONTAINS = 2;
    private static final int EQUALS = 8;
    private static final int SUBSTRING = 16;
    private static final int MAX_PASSES = 5;

    private final Requests requests;
    private final Path directory;
    private final Map<String, String> variables = new LinkedHashMap<>();
    /** Variables that data or an answer give while the plan runs. */
    private final Set<String> given = new HashSet<>();

    /** Settings that an element of the plan inherits from those around it. */
    private record Scope(Map<String, String> defaults, Map<String, String> headers, Request.Place place) {}

    private Jmx(String title, Path directory) {
        requests = new Requests(title);
        this.directory = directory;
    }

    /**
     * Reads a plan.
     *
     * @param directory where the plan lies, and the data that it names
     */
    static Requests read(byte[] bytes, Path directory) {
        Element root;
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            root = builder.parse(new ByteArrayInputStream(bytes)).getDocumentElement();
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new IllegalArgumentException(
                    "is no XML that is read, and so no plan of JMeter: " + e.getMessage(), e);
        }
        if (!root.getTagName().equals("jmeterTestPlan")) {
            throw new IllegalArgumentException("is no plan of JMeter: its root is " + root.getTagName());
        }
        List<Element> trees = children(root);
        List<Element> top = trees.isEmpty() ? List.of() : children(trees.get(0));
        Jmx jmx = new Jmx(top.isEmpty() ? "imported" : top.get(0).getAttribute("testname"), directory);
        jmx.define(root);
        trees.forEach(tree -> jmx.tree(tree, new Scope(Map.of(), Map.of(), Request.Place.ofItsOwn())));
        return jmx.requests;
    }

    /** Variables hold in the whole plan, wherever they stand. */
    private void define(Element element) {
        if (element.getAttribute("enabled").equals("false")) {
            return;
        }
        given.addAll(JmxParts.gives(element));
        boolean ofPlan = element.getAttribute("name").equals("TestPlan.user_defined_variables")
                || element.getTagName().equals("Arguments");
        for (Element child : children(element)) {
            if (ofPlan) {
                arguments(element)
                        .forEach(argument -> variables.putIfAbsent(
                                property(argument, "Argument.name"), property(argument, "Argument.value")));
            }
            define(child);
        }
    }

    /** A tree holds elements, each followed by the tree of what is below it. */
    private void tree(Element tree, Scope outer) {
        List<Element> parts = children(tree);
        Map<String, String> defaults = new LinkedHashMap<>(outer.defaults());
        Map<String, String> headers = new LinkedHashMap<>(outer.headers());
        for (Element part : parts) {
            if (!part.getAttribute("enabled").equals("false")) {
                configuration(part, defaults, headers);
            }
        }
        Scope scope = new Scope(defaults, headers, outer.place());
        for (int i = 0; i < parts.size(); i++) {
            Element part = parts.get(i);
            if (part.getTagName().equals("hashTree")) {
                continue;
            }
            Optional<Element> below =
                    i + 1 < parts.size() && parts.get(i + 1).getTagName().equals("hashTree")
                            ? Optional.of(parts.get(i + 1))
                            : Optional.empty();
            if (part.getAttribute("enabled").equals("false")) {
                requests.leftOut("what is switched off");
            } else if (part.getTagName().equals("HTTPSamplerProxy")
                    || part.getTagName().equals("HTTPSampler")) {
                sampler(part, below, scope);
            } else {
                noted(part, scope.place());
                Scope inside = new Scope(defaults, headers, placeIn(part, scope.place()));
                below.ifPresent(inner -> tree(inner, inside));
            }
        }
    }

    /** A thread group is a sequence; what is below a throughput controller is a route of it. */
    private Request.Place placeIn(Element part, Request.Place outer) {
        String name = part.getAttribute("testname");
        return switch (part.getTagName()) {
            case "ThreadGroup" -> new Request.Place(name.isEmpty() ? "Thread Group" : name, "", JmxParts.WHOLE);
            case "ThroughputController" ->
                JmxParts.percent(part)
                        .map(percent -> new Request.Place(outer.sequence(), name, percent))
                        .orElse(outer);
            default -> outer;
        };
    }

    private void configuration(Element part, Map<String, String> defaults, Map<String, String> headers) {
        if (part.getTagName().equals("HeaderManager")) {
            elements(part).forEach(header -> {
                String name = property(header, "Header.name");
                value(property(header, "Header.value"))
                        .ifPresentOrElse(
                                value -> requests.header(headers, name, value),
                                () -> requests.leftOut("header " + name + ": its value comes from a variable"));
            });
        } else if (part.getTagName().equals("ConfigTestElement")) {
            for (String key : List.of("domain", "port", "protocol", "path")) {
                String given = property(part, "HTTPSampler." + key);
                if (!given.isEmpty()) {
                    defaults.put(key, given);
                }
            }
        }
    }

    private void noted(Element part, Request.Place place) {
        String tag = part.getTagName();
        String name = part.getAttribute("testname");
        switch (tag) {
            case "TestPlan", "HeaderManager", "ConfigTestElement", "Arguments", "ResultCollector" -> {
                // Read, or of no concern to requests.
            }
            case "ThreadGroup" ->
                requests.leftOut("the load of '" + name + "', " + property(part, "ThreadGroup.num_threads")
                        + " threads: say --users, --ramp-up and --duration");
            case "CSVDataSet" -> data(part, name, place);
            case "TransactionController", "GenericController" -> {
                // Its requests are steps of the sequence.
            }
            case "ThroughputController" ->
                requests.leftOut(
                        "that '" + name + "' is an addition to what stands beside it: of the routes of a scenario a"
                                + " user takes one at a time, by weight");
            case "JSONPostProcessor", "RegexExtractor", "BoundaryExtractor" ->
                requests.leftOut(tag + " '" + name + "': it belongs to no request");
            case "CookieManager", "CacheManager", "AuthManager" ->
                requests.leftOut(tag + ": each request is sent without what another one got");
            default -> requests.leftOut(tag + " '" + name + "'");
        }
    }

    /** Data that lie beside the plan or below; nothing else of the machine is read. */
    private void data(Element part, String name, Request.Place place) {
        String problem = requests.data(place.sequence()).isPresent() ? "a scenario has one file of data" : "";
        try {
            if (problem.isEmpty()) {
                requests.data(place.sequence(), JmxParts.data(part, directory));
            }
        } catch (IOException e) {
            problem = String.valueOf(e.getMessage());
        }
        if (!problem.isEmpty()) {
            requests.leftOut("the data of '" + name + "': " + problem);
        }
    }

    private void sampler(Element sampler, Optional<Element> below, Scope outer) {
        String name = sampler.getAttribute("testname");
        Map<String, String> defaults = new LinkedHashMap<>(outer.defaults());
        Map<String, String> headers = new LinkedHashMap<>(outer.headers());
        OptionalInt status = OptionalInt.empty();
        Optional<String> contains = Optional.empty();
        List<Request.Taken> taken = new ArrayList<>();
        for (Element part : below.map(Jmx::children).orElse(List.of())) {
            if (part.getTagName().equals("hashTree")
                    || part.getAttribute("enabled").equals("false")) {
                continue;
            }
            configuration(part, defaults, headers);
            if (part.getTagName().equals("ResponseAssertion")) {
                String field = property(part, "Assertion.test_field");
                String type = property(part, "Assertion.test_type");
                List<String> tests = strings(part);
                int kind = type.matches("\\d{1,3}") ? Integer.parseInt(type) : 0;
                if (tests.size() == 1
                        && field.endsWith("response_code")
                        && tests.get(0).matches("[1-5]\\d\\d")
                        && (kind == EQUALS || kind == SUBSTRING || kind == MATCHES || kind == CONTAINS)) {
                    status = OptionalInt.of(Integer.parseInt(tests.get(0)));
                } else if (tests.size() == 1 && field.endsWith("response_data") && kind == SUBSTRING) {
                    contains = value(tests.get(0));
                } else {
                    requests.leftOut("the assertion '" + part.getAttribute("testname") + "' of '" + name + "'");
                }
            } else if (JmxParts.gives(part).isEmpty() || part.getTagName().equals("CSVDataSet")) {
                noted(part, outer.place());
            } else {
                taken.addAll(JmxParts.taken(part, requests));
            }
        }
        request(sampler, name, new Scope(defaults, headers, outer.place()), status, contains, taken);
    }

    private void request(
            Element sampler,
            String name,
            Scope scope,
            OptionalInt status,
            Optional<String> contains,
            List<Request.Taken> taken) {
        Map<String, String> defaults = scope.defaults();
        Map<String, String> headers = scope.headers();
        List<String> parts = new ArrayList<>();
        for (String key : List.of("protocol", "domain", "port", "path", "method")) {
            String own = property(sampler, "HTTPSampler." + key);
            parts.add(own.isEmpty() ? defaults.getOrDefault(key, "") : own);
        }
        boolean raw = property(sampler, "HTTPSampler.postBodyRaw").equals("true");
        List<Element> arguments = arguments(sampler);
        StringBuilder data = new StringBuilder();
        for (Element argument : arguments) {
            String value = property(argument, "Argument.value");
            if (raw) {
                data.append(value);
            } else {
                data.append(data.isEmpty() ? "" : "&")
                        .append(encoded(argument, property(argument, "Argument.name")))
                        .append('=')
                        .append(encoded(argument, value));
            }
        }
        Optional<List<String>> values = values(parts);
        Optional<String> body = value(data.toString());
        if (values.isEmpty() || body.isEmpty()) {
            requests.leftOut("the request '" + name + "': it needs a variable that nothing in the plan gives");
            return;
        }
        if (sampler.getElementsByTagName("elementProp").getLength() > 0 && hasFiles(sampler)) {
            requests.leftOut("the request '" + name + "': it sends a file");
            return;
        }
        String protocol =
                values.get().get(0).isEmpty() ? "http" : values.get().get(0).toLowerCase(Locale.ROOT);
        String port = values.get().get(2);
        String path = values.get().get(3);
        if (path.matches("https?://.*")) {
            requests.leftOut("the request '" + name + "': its path is a whole URL");
            return;
        }
        String method =
                values.get().get(4).isEmpty() ? "GET" : values.get().get(4).toUpperCase(Locale.ROOT);
        boolean inQuery = !raw
                && !body.get().isEmpty()
                && List.of("GET", "DELETE", "HEAD", "OPTIONS").contains(method);
        String whole = (path.startsWith("/") ? path : "/" + path)
                + (inQuery ? (path.contains("?") ? "&" : "?") + body.get() : "");
        boolean form = !raw && !inQuery && !body.get().isEmpty();
        if (form) {
            headers.putIfAbsent("Content-Type", "application/x-www-form-urlencoded");
        }
        String domain = values.get().get(1);
        requests.add(new Request(
                scope.place(),
                name,
                method,
                domain.isEmpty() ? "" : protocol + "://" + domain + (port.isEmpty() ? "" : ":" + port),
                whole.replace(" ", "%20"),
                headers,
                inQuery ? Optional.empty() : body.filter(text -> !text.isEmpty()),
                status,
                contains,
                taken));
    }

    private static boolean hasFiles(Element sampler) {
        return children(sampler).stream()
                .filter(child -> child.getAttribute("elementType").equals("HTTPFileArgs"))
                .anyMatch(files -> !elements(files).isEmpty());
    }

    private static String encoded(Element argument, String text) {
        return property(argument, "HTTPArgument.always_encode").equals("true")
                        && !VARIABLE.matcher(text).find()
                ? URLEncoder.encode(text, StandardCharsets.UTF_8)
                : text;
    }

    private Optional<List<String>> values(List<String> texts) {
        List<String> values = new ArrayList<>();
        for (String text : texts) {
            Optional<String> value = value(text);
            if (value.isEmpty()) {
                return Optional.empty();
            }
            values.add(value.get().strip());
        }
        return Optional.of(values);
    }

    /** Returns a text with the plan's variables put in, or empty if it needs one that nothing in the plan gives. */
    private Optional<String> value(String text) {
        String value = text;
        for (int i = 0; i < MAX_PASSES && VARIABLE.matcher(value).find(); i++) {
            value = VARIABLE.matcher(value)
                    .replaceAll(match -> Matcher.quoteReplacement(
                            given.contains(match.group(1))
                                    ? match.group()
                                    : variables.getOrDefault(match.group(1), match.group())));
        }
        return VARIABLE.matcher(value).results().allMatch(match -> given.contains(match.group(1)))
                ? Optional.of(value)
                : Optional.empty();
    }

    private static List<Element> arguments(Element element) {
        return elements(children(element).stream()
                .filter(child -> child.getAttribute("elementType").equals("Arguments"))
                .findFirst()
                .orElse(element));
    }

    /** The members of an element's collections. */
    private static List<Element> elements(Element element) {
        List<Element> all = new ArrayList<>();
        for (Element collection : children(element)) {
            if (collection.getTagName().equals("collectionProp")) {
                children(collection).stream()
                        .filter(child -> child.getTagName().equals("elementProp"))
                        .forEach(all::add);
            }
        }
        return all;
    }

    private static List<String> strings(Element assertion) {
        List<String> all = new ArrayList<>();
        for (Element collection : children(assertion)) {
            if (collection.getTagName().equals("collectionProp")) {
                children(collection).forEach(child -> all.add(child.getTextContent()));
            }
        }
        return all;
    }

    static String property(Element element, String name) {
        return children(element).stream()
                .filter(child -> child.getAttribute("name").equals(name))
                .map(Node::getTextContent)
                .findFirst()
                .orElse("");
    }

    static List<Element> children(Element element) {
        List<Element> children = new ArrayList<>();
        for (Node node = element.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element child) {
                children.add(child);
            }
        }
        return children;
    }
}
