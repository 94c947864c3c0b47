/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;

import com.sun.management.ThreadMXBean;

/** Writes the counts of a server in Prometheus' text format, version 0.0.4. */
final class Metrics {

    private Metrics() {}

    static String text(EchoServer server, EchoStats stats) {
        StringBuilder out = new StringBuilder(2048);
        head(out, "echo_info", "gauge", "What runs; always 1.");
        out.append("echo_info{transport=\"")
                .append(server.transport())
                .append("\",threads=\"")
                .append(server.threads())
                .append("\",tls_provider=\"")
                .append(server.tlsProvider().orElse("none"))
                .append("\"} 1\n");
        single(out, "echo_requests_total", "counter", "Complete, well-formed requests.", stats.requests());
        head(out, "echo_responses_total", "counter", "Responses by status.");
        stats.responses()
                .forEach((status, count) -> out.append("echo_responses_total{status=\"")
                        .append(status)
                        .append("\"} ")
                        .append(count)
                        .append('\n'));
        single(out, "echo_request_body_bytes_total", "counter", "Bytes of request bodies.", stats.requestBytes());
        single(out, "echo_response_body_bytes_total", "counter", "Bytes of response bodies.", stats.responseBytes());
        single(out, "echo_connections_opened_total", "counter", "Accepted connections.", stats.connectionsOpened());
        single(out, "echo_connections_open", "gauge", "Connections open now.", stats.connectionsOpen());
        single(
                out,
                "echo_connections_refused_total",
                "counter",
                "Connections turned away at the limit.",
                stats.connectionsRefused());
        single(out, "echo_resets_total", "counter", "Resets on purpose.", stats.resets());
        single(out, "echo_never_answered_total", "counter", "Requests never answered.", stats.neverAnswered());
        single(out, "echo_timeouts_total", "counter", "Clients that were too slow.", stats.timeouts());
        EchoStats.Delays delays = stats.delays();
        head(out, "echo_delay_error_seconds", "summary", "Actual minus asked delay.");
        quantile(out, "0.5", delays.lateP50Micros());
        quantile(out, "0.99", delays.lateP99Micros());
        quantile(out, "1", delays.lateMaxMicros());
        out.append("echo_delay_error_seconds_count ").append(delays.count()).append('\n');
        Runtime runtime = Runtime.getRuntime();
        single(out, "jvm_heap_used_bytes", "gauge", "Heap in use.", runtime.totalMemory() - runtime.freeMemory());
        single(
                out,
                "jvm_allocated_bytes_total",
                "counter",
                "Heap bytes allocated by the threads that live now.",
                allocatedBytes());
        long collections = 0;
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections += Math.max(0, collector.getCollectionCount());
            millis += Math.max(0, collector.getCollectionTime());
        }
        single(out, "jvm_gc_collections_total", "counter", "Garbage collections.", collections);
        head(out, "jvm_gc_seconds_total", "counter", "Time spent in them.");
        out.append(String.format(Locale.ROOT, "jvm_gc_seconds_total %.3f%n", millis / 1e3)
                .replace("\r", ""));
        return out.toString();
    }

    private static long allocatedBytes() {
        long sum = 0;
        if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
            for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
                sum += Math.max(0, bytes);
            }
        }
        return sum;
    }

    private static void quantile(StringBuilder out, String quantile, long micros) {
        out.append("echo_delay_error_seconds{quantile=\"")
                .append(quantile)
                .append("\"} ")
                .append(String.format(Locale.ROOT, "%.6f", micros / 1e6))
                .append('\n');
    }

    private static void single(StringBuilder out, String name, String type, String help, long value) {
        head(out, name, type, help);
        out.append(name).append(' ').append(value).append('\n');
    }

    private static void head(StringBuilder out, String name, String type, String help) {
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }
}
