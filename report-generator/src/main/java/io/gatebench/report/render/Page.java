/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.render;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import io.gatebench.report.ReportException;
import io.gatebench.report.chart.Drawing;

/**
 * A page of one file: its style and script stand in it, its policy lets nothing else run and asks the network for nothing.
 *
 * <p>The same model gives the same bytes. Stateless and thread-safe.
 */
public final class Page {

    private Page() {}

    /**
     * Returns a page with tables to sort and filter, and drawings.
     *
     * @param template the built-in template's name
     * @param model its own values, as texts, lists and maps
     */
    public static String of(String template, Map<String, Object> model) {
        Map<String, Object> whole = new HashMap<>(model);
        put(whole, resource("report.css") + Drawing.style(), resource("tables.js"));
        return new Templates(Optional.empty()).render(template, whole);
    }

    /** Adds the style and the script, and the hashes by which the page's policy knows them. */
    static void put(Map<String, Object> model, String style, String script) {
        model.put("style", style);
        model.put("styleHash", hash(style));
        model.put("script", script);
        model.put("scriptHash", hash(script));
    }

    /** Returns a built-in file. */
    static String resource(String name) {
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
