/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.skipped;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Says at the end of the build which tests were skipped, why, and what to install.
 *
 * <p>A test that needs something of the machine says so in the message of its assumption: the reason, and after
 * {@code "; install "} what brings it.
 */
public final class SkippedTests {

    private static final Pattern INSTALL = Pattern.compile("(?s)(.*?)[;,:]? install ([^\\]\\n]+).*");
    private static final Pattern REASON =
            Pattern.compile("(?s)(?:Assumption failed: |assumption was not met due to: )?\\s*\\[?([^\\]\\n]+).*");

    private SkippedTests() {}

    /**
     * Prints the table, nothing where nothing was skipped.
     *
     * @param args the root of the sources, the begin of the build, and {@code fail} where everything must be installed;
     *     what the machine's kernel does not have is told there, too, and is no failure
     * @throws IllegalStateException if something was skipped for want of what can be installed
     */
    public static void main(String[] args) throws IOException {
        Map<Row, Integer> skipped = since(Path.of(args[0]), Instant.parse(args[1]));
        print(skipped, System.out);
        if (args[2].equals("fail")
                && skipped.keySet().stream().anyMatch(row -> !row.install().isEmpty())) {
            throw new IllegalStateException(
                    "tests were skipped for want of what can be installed, see the table above");
        }
    }

    /** Why tests of a class were skipped. */
    record Row(String test, String why, String install) implements Comparable<Row> {
        @Override
        public int compareTo(Row other) {
            return (test + why + install).compareTo(other.test + other.why + other.install);
        }
    }

    /** Counts what was skipped in each module of the sources since the build began, by test class and reason. */
    static Map<Row, Integer> since(Path root, Instant begin) throws IOException {
        Map<Row, Integer> skipped = new TreeMap<>();
        try (Stream<Path> modules = Files.list(root)) {
            for (Path module : modules.sorted().toList()) {
                for (String kind : new String[] {"surefire-reports", "failsafe-reports"}) {
                    Path reports = module.resolve("target").resolve(kind);
                    if (Files.isDirectory(reports)) {
                        count(reports, begin, skipped);
                    }
                }
            }
        }
        return skipped;
    }

    private static void count(Path reports, Instant begin, Map<Row, Integer> skipped) throws IOException {
        try (Stream<Path> files = Files.list(reports)) {
            for (Path file : files.sorted().toList()) {
                // What an earlier build left says nothing about this one.
                if (file.getFileName().toString().matches("TEST-.*\\.xml")
                        && !Files.getLastModifiedTime(file).toInstant().isBefore(begin)) {
                    NodeList all = read(file).getElementsByTagName("skipped");
                    for (int i = 0; i < all.getLength(); i++) {
                        Element skip = (Element) all.item(i);
                        String test = ((Element) skip.getParentNode()).getAttribute("classname");
                        String message =
                                skip.hasAttribute("message") ? skip.getAttribute("message") : skip.getTextContent();
                        skipped.merge(row(test.substring(test.lastIndexOf('.') + 1), message), 1, Integer::sum);
                    }
                }
            }
        }
    }

    private static Row row(String test, String message) {
        Matcher install = INSTALL.matcher(message);
        boolean known = install.matches();
        Matcher reason = REASON.matcher(known ? install.group(1) : message);
        return new Row(
                test,
                reason.matches() ? reason.group(1).strip() : "",
                known ? install.group(2).strip() : "");
    }

    private static Document read(Path file) throws IOException {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(file.toFile());
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is no report of tests: " + e.getMessage(), e);
        }
    }

    static void print(Map<Row, Integer> skipped, PrintStream out) {
        if (skipped.isEmpty()) {
            return;
        }
        int test = "test".length();
        int why = "why".length();
        for (Row row : skipped.keySet()) {
            test = Math.max(test, row.test().length());
            why = Math.max(why, row.why().length());
        }
        String format = "%7s  %-" + test + "s  %-" + why + "s  %s%n";
        out.printf(format, "skipped", "test", "why", "what to install");
        for (Map.Entry<Row, Integer> entry : skipped.entrySet()) {
            Row row = entry.getKey();
            out.printf(format, entry.getValue(), row.test(), row.why(), row.install());
        }
    }
}
