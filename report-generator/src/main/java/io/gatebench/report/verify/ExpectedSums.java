/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.verify;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import io.gatebench.report.render.Checksums;
import io.gatebench.report.results.ReportException;

/**
 * Content of {@code checksums.json} of a report.
 *
 * @param digest the digest over the measured data
 * @param measured SHA-256 by path for the measured data
 * @param files SHA-256 by path for the files of the report
 */
record ExpectedSums(String digest, Map<String, String> measured, Map<String, String> files) {

    private static final long LARGEST = 64L << 20;

    static ExpectedSums read(Path directory) {
        Path file = directory.resolve(Checksums.FILE);
        try {
            if (Files.size(file) > LARGEST) {
                throw new ReportException(file + " is larger than " + LARGEST + " bytes");
            }
            JsonNode root = new ObjectMapper().readTree(Files.readAllBytes(file));
            if (root == null
                    || !root.path("files").isObject()
                    || !root.path("measured").isObject()) {
                throw new ReportException(file + " holds no checksums of files and measured data");
            }
            return new ExpectedSums(root.path("data").asText(), sums(root.path("measured")), sums(root.path("files")));
        } catch (JacksonException e) {
            throw new ReportException(file + " is not JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new ReportException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, String> sums(JsonNode node) {
        Map<String, String> sums = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            sums.put(entry.getKey(), entry.getValue().asText());
        }
        return sums;
    }
}
