/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.report.chart.Drawing;
import io.gatebench.report.results.ReportException;

/**
 * A page of one file: its style and script stand in it, its policy lets nothing else run and asks the network for nothing.
 *
 * <p>The same model gives the same bytes. Stateless and thread-safe.
 */
public final class Page {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Page() {}

    /**
     * Returns a page with tables to sort and filter, drawings, and the charts that its template describes as JSON:
     * {@code <script type="application/json" data-chart>}, in the form that {@code page.js} names.
     *
     * @param template the built-in template's name
     * @param model its own values, as texts, lists and maps
     */
    public static String of(String template, Map<String, Object> model) {
        Map<String, Object> whole = new HashMap<>(model);
        put(whole, Drawing.style(), "");
        return new Templates(Optional.empty()).render(template, whole);
    }

    /**
     * Adds the style and the script of all pages, the chart library among them, and the hashes by which the page's policy
     * knows them.
     *
     * @param ownStyle what the page has besides
     * @param ownScript what the page runs after the script of all pages
     */
    public static void put(Map<String, Object> model, String ownStyle, String ownScript) {
        String style = resource("uPlot.min.css") + resource("report.css") + ownStyle;
        String script = resource("uPlot.iife.min.js") + resource("page.js") + ownScript
                + "document.documentElement.setAttribute('data-ready','true');";
        model.put("style", style);
        model.put("styleHash", hash(style));
        model.put("script", script);
        model.put("scriptHash", hash(script));
    }

    /**
     * Returns a value as JSON that can stand inside a script element: what could end the element, or is a line end to a
     * script, is written as escape.
     */
    public static String json(Object value) {
        try {
            return JSON.writeValueAsString(value)
                    .replace("<", "\\u003c")
                    .replace(">", "\\u003e")
                    .replace("&", "\\u0026")
                    .replace("\u2028", "\\u2028")
                    .replace("\u2029", "\\u2029");
        } catch (JsonProcessingException e) {
            throw new ReportException("cannot write the figures of the page: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns a value as JSON, deflated, in base 64: what a page reads when it needs it. */
    public static String packed(Object value) {
        try {
            byte[] json = JSON.writeValueAsBytes(value);
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (DeflaterOutputStream out = new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_COMPRESSION))) {
                out.write(json);
            }
            return Base64.getEncoder().encodeToString(packed.toByteArray());
        } catch (IOException e) {
            throw new ReportException("cannot write the figures of the page: " + e.getMessage(), e);
        }
    }

    /** Returns a built-in file. */
    public static String resource(String name) {
        try (InputStream in = Page.class.getResourceAsStream("/io/gatebench/report/templates/" + name)) {
            if (in == null) {
                throw new ReportException("the program is incomplete: its file " + name + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new ReportException("cannot read the program's file " + name + ": " + e.getMessage(), e);
        }
    }

    private static String hash(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
