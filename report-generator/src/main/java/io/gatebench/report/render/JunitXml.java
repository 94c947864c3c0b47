/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

import io.gatebench.model.RunManifest;
import io.gatebench.model.TestCaseResult;
import io.gatebench.report.column.Numbers;
import io.gatebench.report.results.ReportException;
import io.gatebench.report.threshold.MissedThreshold;
import io.gatebench.report.verdict.Level;
import io.gatebench.report.verdict.Verdict;

/**
 * The run as JUnit XML: one test suite per scenario, one test per case.
 *
 * <p>A case that failed is an error, one whose figures are invalid or miss a threshold is a failure, one that was not run
 * is skipped. A threshold that holds for no case is a failed test of a suite of its own.
 */
public final class JunitXml {

    private static final String THRESHOLD = "threshold not met";

    private JunitXml() {}

    /**
     * Returns the document.
     *
     * @param info the head of the run
     * @param results all results
     * @param verdicts one verdict per result, in their order
     * @param missed the thresholds that were not met
     */
    public static String text(
            RunManifest info,
            List<? extends TestCaseResult> results,
            List<Verdict> verdicts,
            List<MissedThreshold> missed) {
        Map<String, List<Integer>> suites = new LinkedHashMap<>();
        for (int i = 0; i < results.size(); i++) {
            suites.computeIfAbsent(results.get(i).testCase().scenario(), name -> new ArrayList<>())
                    .add(i);
        }
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newInstance().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeCharacters("\n");
            xml.writeStartElement("testsuites");
            xml.writeAttribute("name", clean(info.applicationName() + " performance"));
            for (Map.Entry<String, List<Integer>> suite : suites.entrySet()) {
                suite(xml, info, suite.getKey(), suite.getValue(), results, verdicts, missed);
            }
            ofNoCase(xml, info, missed);
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new ReportException("cannot write JUnit XML: " + e.getMessage(), e);
        }
        return text.toString();
    }

    private static void suite(
            XMLStreamWriter xml,
            RunManifest info,
            String scenario,
            List<Integer> indices,
            List<? extends TestCaseResult> results,
            List<Verdict> verdicts,
            List<MissedThreshold> missed)
            throws XMLStreamException {
        long errors = indices.stream()
                .filter(i -> results.get(i) instanceof TestCaseResult.Failed)
                .count();
        long skipped = indices.stream()
                .filter(i -> results.get(i) instanceof TestCaseResult.Skipped)
                .count();
        long failures = indices.stream()
                .filter(i -> invalid(results.get(i), verdicts.get(i)) || missesThreshold(results.get(i), of(missed, i)))
                .count();
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", clean(scenario));
        xml.writeAttribute("tests", Integer.toString(indices.size()));
        xml.writeAttribute("failures", Long.toString(failures));
        xml.writeAttribute("errors", Long.toString(errors));
        xml.writeAttribute("skipped", Long.toString(skipped));
        xml.writeAttribute("timestamp", info.started().toString());
        for (int i : indices) {
            testCase(xml, scenario, results.get(i), verdicts.get(i), of(missed, i));
        }
        xml.writeCharacters("\n  ");
        xml.writeEndElement();
    }

    private static List<String> of(List<MissedThreshold> missed, int result) {
        return missed.stream()
                .filter(threshold -> threshold.result().equals(Optional.of(result)))
                .map(MissedThreshold::text)
                .toList();
    }

    private static void ofNoCase(XMLStreamWriter xml, RunManifest info, List<MissedThreshold> missed)
            throws XMLStreamException {
        List<String> texts = missed.stream()
                .filter(threshold -> threshold.result().isEmpty())
                .map(MissedThreshold::text)
                .toList();
        if (texts.isEmpty()) {
            return;
        }
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", "thresholds");
        xml.writeAttribute("tests", Integer.toString(texts.size()));
        xml.writeAttribute("failures", Integer.toString(texts.size()));
        xml.writeAttribute("errors", "0");
        xml.writeAttribute("skipped", "0");
        xml.writeAttribute("timestamp", info.started().toString());
        for (String text : texts) {
            xml.writeCharacters("\n    ");
            xml.writeStartElement("testcase");
            xml.writeAttribute("classname", "thresholds");
            xml.writeAttribute("name", clean(text));
            xml.writeAttribute("time", "0");
            element(xml, "failure", THRESHOLD, text);
            xml.writeEndElement();
        }
        xml.writeCharacters("\n  ");
        xml.writeEndElement();
    }

    private static void testCase(
            XMLStreamWriter xml, String scenario, TestCaseResult result, Verdict verdict, List<String> missed)
            throws XMLStreamException {
        xml.writeCharacters("\n    ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", clean(scenario));
        xml.writeAttribute(
                "name", clean(result.testCase().id() + (result.repeat() > 1 ? " repeat " + result.repeat() : "")));
        xml.writeAttribute("time", Numbers.text(seconds(result), 3));
        if (result instanceof TestCaseResult.Failed failed) {
            element(
                    xml,
                    "error",
                    failed.reason().name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    failed.detail());
        } else if (result instanceof TestCaseResult.Skipped skipped) {
            element(xml, "skipped", skipped.why(), "");
        } else if (invalid(result, verdict)) {
            List<String> reasons = new ArrayList<>(List.of(verdict.codedReasons()));
            reasons.addAll(missed);
            element(xml, "failure", verdict.findings().get(0).rule().id(), String.join("\n", reasons));
        } else if (missesThreshold(result, missed)) {
            element(xml, "failure", THRESHOLD, String.join("\n", missed));
        }
        if (result instanceof TestCaseResult.Completed completed) {
            StringBuilder out = new StringBuilder();
            completed
                    .load()
                    .measurement()
                    .forEach(s -> out.append(s.label())
                            .append(": ")
                            .append(Numbers.text(s.throughputPerSecond(), 2))
                            .append(" requests/s, mean ")
                            .append(Numbers.text(s.all().meanMillis(), 2))
                            .append(" ms, 99th percentile ")
                            .append(Numbers.text(s.all().p99Millis(), 2))
                            .append(" ms, errors ")
                            .append(Numbers.text(s.errorPercent(), 2))
                            .append(" %; ")
                            .append(verdict.text())
                            .append('\n'));
            xml.writeStartElement("system-out");
            xml.writeCharacters(clean(out.toString()));
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }

    private static boolean invalid(TestCaseResult result, Verdict verdict) {
        return result instanceof TestCaseResult.Completed && verdict.level() == Level.INVALID;
    }

    private static boolean missesThreshold(TestCaseResult result, List<String> missed) {
        return result instanceof TestCaseResult.Completed && !missed.isEmpty();
    }

    private static void element(XMLStreamWriter xml, String name, String message, String text)
            throws XMLStreamException {
        xml.writeStartElement(name);
        xml.writeAttribute("message", clean(message));
        xml.writeCharacters(clean(text));
        xml.writeEndElement();
    }

    private static double seconds(TestCaseResult result) {
        return result.<Duration>fold(
                                completed -> Duration.between(completed.started(), completed.ended()),
                                failed -> Duration.between(failed.started(), failed.ended()),
                                skipped -> Duration.ZERO)
                        .toMillis()
                / 1000.0;
    }

    /** XML 1.0 has no place for most control characters, and server answers have them. */
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints().forEach(c -> {
            boolean allowed =
                    c == '\t' || c == '\n' || c >= 0x20 && c <= 0xD7FF || c >= 0xE000 && c <= 0xFFFD || c >= 0x10000;
            clean.appendCodePoint(allowed ? c : 0xFFFD);
        });
        return clean.toString();
    }
}
