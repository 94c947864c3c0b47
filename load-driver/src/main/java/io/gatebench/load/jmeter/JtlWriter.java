/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.load.jmeter;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

import org.apache.jmeter.samplers.SampleResult;
import org.jspecify.annotations.Nullable;

import io.gatebench.load.engine.stats.Sample;

/** Writes samples as JMeter's CSV with its default columns. Thread-safe. */
final class JtlWriter implements AutoCloseable {

    static final String HEADER = "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
            + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect";

    private static final int BUFFER_CHARS = 64 * 1024;

    private final Writer out;
    private final String url;
    private @Nullable IOException failure;

    JtlWriter(Path file, String url) throws IOException {
        OutputStream stream = Files.newOutputStream(file);
        this.out = new BufferedWriter(
                new OutputStreamWriter(
                        file.toString().endsWith(".gz") ? new GZIPOutputStream(stream, BUFFER_CHARS) : stream,
                        StandardCharsets.UTF_8),
                BUFFER_CHARS);
        this.url = url;
        out.write(HEADER);
        out.write('\n');
    }

    void write(SampleResult result, Sample sample, String threadGroup) {
        StringBuilder line = new StringBuilder(256);
        line.append(result.getStartTime()).append(',').append(result.getTime()).append(',');
        text(line, result.getSampleLabel());
        text(line, result.getResponseCode());
        text(line, result.getResponseMessage());
        text(line, result.getThreadName());
        text(line, result.getDataType());
        line.append(result.isSuccessful()).append(',');
        text(line, sample.failure() == null ? "" : sample.failure());
        line.append(result.getBytesAsLong()).append(',');
        line.append(result.getSentBytes()).append(',');
        line.append(result.getGroupThreads()).append(',');
        line.append(result.getAllThreads()).append(',');
        text(line, result.getURL() == null ? url : result.getUrlAsString());
        line.append(result.getLatency()).append(',');
        line.append(result.getIdleTime()).append(',');
        line.append(result.getConnectTime()).append('\n');
        synchronized (this) {
            try {
                out.append(line);
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    private static void text(StringBuilder line, String value) {
        boolean quoted = value.indexOf(',') >= 0
                || value.indexOf('"') >= 0
                || value.indexOf('\n') >= 0
                || value.indexOf('\r') >= 0;
        if (quoted) {
            line.append('"').append(value.replace("\"", "\"\"")).append('"');
        } else {
            line.append(value);
        }
        line.append(',');
    }

    /** Closes the file. */
    @Override
    public synchronized void close() {
        try {
            out.close();
            if (failure != null) {
                throw failure;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
