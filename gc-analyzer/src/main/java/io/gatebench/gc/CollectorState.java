/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

/** Collector that writes the log, by its own words or, where the log's start is lost, by what it does. */
final class CollectorState {

    private final LogListener listener;
    private boolean inferred;
    private boolean z;
    private boolean g1;
    private boolean shenandoah;
    private String byParts = "";

    /** Number of times the JVM said which collector it uses. */
    int starts;

    CollectorState(LogListener listener) {
        this.listener = listener;
    }

    boolean g1() {
        return g1;
    }

    boolean z() {
        return z;
    }

    /** Returns whether nothing speaks against ZGC. */
    boolean perhapsZ() {
        return z || !g1 && !shenandoah;
    }

    /** Takes the collector the JVM names. */
    void named(String name) {
        z |= name.equals("ZGC");
        g1 |= name.equals("G1");
        shenandoah |= name.equals("Shenandoah");
        listener.fact(LogListener.Fact.COLLECTOR, name);
    }

    /** Takes a name that tells more, such as that of a generational mode. */
    void mode(String name) {
        z |= name.startsWith("ZGC");
        listener.fact(LogListener.Fact.COLLECTOR, name);
    }

    /** Takes the collector whose generations have these names. */
    void generationsOf(String name) {
        byParts = name;
    }

    /** Takes what a pause tells, where the JVM's own word is lost. */
    void infer(String kind, String groups) {
        if (starts > 0 || inferred) {
            return;
        }
        String name = switch (kind) {
            case "mark start", "mark end", "relocate start" -> "ZGC";
            case "init mark", "final mark", "init update refs", "final update refs", "degenerated" -> "Shenandoah";
            default -> groups.contains("(G1 ") || kind.equals("mixed") ? "G1" : byParts;
        };
        if (!name.isEmpty()) {
            inferred = true;
            named(name);
        }
    }
}
