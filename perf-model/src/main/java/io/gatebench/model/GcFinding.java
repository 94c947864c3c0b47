/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

/**
 * A statement about a GC log with the figure behind it.
 *
 * @param rule the identifier of the rule, e.g. {@code gc-throughput-low}
 * @param severity how much it matters
 * @param text the sentence, with its figures
 * @param source where the rule's threshold comes from, empty if the rule has none
 * @since 0.1
 */
public record GcFinding(String rule, Severity severity, String text, String source) {

    /** The rule that a log holds more than one JVM start: the process was restarted. */
    public static final String JVM_RESTARTED = "jvm-restarted";

    /** Weight of a finding. */
    public enum Severity {
        /** Worth knowing. */
        INFO,
        /** Worth acting on. */
        WARNING
    }
}
