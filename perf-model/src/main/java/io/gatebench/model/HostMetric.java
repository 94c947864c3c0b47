/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.model;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * The metrics of a host and of a process on it: what hosts measure and reports show.
 *
 * <p>Names and meanings of those that past releases published are those of {@code sar} and {@code perf stat}; what each of
 * ours means is in the reference of the columns.
 *
 * @since 0.1
 */
public enum HostMetric {
    RUN_QUEUE("Run queue length"),
    TASKS("Number of tasks"),
    LOAD_1("System Load Average - Last 1 minute"),
    LOAD_5("System Load Average - Last 5 minutes"),
    LOAD_15("System Load Average - Last 15 minutes"),
    BLOCKED("Blocked"),
    CPU_USER("CPU - User (%)"),
    CPU_NICE("CPU - Nice (%)"),
    CPU_SYSTEM("CPU - System (%)"),
    CPU_IO_WAIT("CPU - I/O Wait (%)"),
    CPU_STEAL("CPU - Steal (%)"),
    CPU_IDLE("CPU - Idle (%)"),
    MEMORY_FREE("Memory - Free (kB)"),
    MEMORY_AVAILABLE("Memory - Available (kB)"),
    MEMORY_USED("Memory - Used (kB)"),
    MEMORY_USED_PERCENT("Memory - Used (%)"),
    MEMORY_BUFFERS("Memory - Buffers (kB)"),
    MEMORY_CACHED("Memory - Cached (kB)"),
    MEMORY_COMMIT("Memory - Commit (kB)"),
    MEMORY_COMMIT_PERCENT("Memory - Commit (%)"),
    MEMORY_ACTIVE("Memory - Active (kB)"),
    MEMORY_INACTIVE("Memory - Inactive (kB)"),
    MEMORY_DIRTY("Memory - Dirty (kB)"),
    DISK_TRANSFERS("Block Device - TPS (transfers/s)"),
    DISK_READ("Block Device - Read TPS (kB/s)"),
    DISK_WRITTEN("Block Device - Write TPS (kB/s)"),
    DISK_DISCARDED("Block Device - Discard TPS (kB/s)"),
    DISK_REQUEST_SIZE("Block Device - Average Request Size (kB)"),
    DISK_QUEUE("Block Device - Average Queue Length"),
    DISK_TIME("Block Device - Average Time (ms)"),
    DISK_UTILIZATION("Block Device - Utilization (%)"),
    IO_TRANSFERS("IO - TPS (transfers/s)"),
    IO_READS("IO - Read TPS (requests/s"),
    IO_WRITES("IO - Write TPS (requests/s)"),
    IO_DISCARDS("IO - Discard TPS (requests/s)"),
    IO_BLOCKS_READ("IO - Data reads per seconds (blocks/s)"),
    IO_BLOCKS_WRITTEN("IO - Data writes per seconds (blocks/s)"),
    IO_BLOCKS_DISCARDED("IO - Data discarded per seconds (blocks/s)"),
    TASKS_CREATED("Tasks created per second"),
    CONTEXT_SWITCHES_PER_SECOND("Context switches per second"),
    UNUSED_DIRECTORY_ENTRIES("Unused directory cache entries"),
    FILE_HANDLES("Number of file handles"),
    INODE_HANDLERS("Number of inode handlers"),
    PSEUDO_TERMINALS("Number of pseudo-terminals"),
    NETWORK_RECEIVED_PACKETS("Network - Received packets/s", OfReplicas.SUM),
    NETWORK_TRANSMITTED_PACKETS("Network - Transmitted packets/s", OfReplicas.SUM),
    NETWORK_RECEIVED("Network - Received kB/s", OfReplicas.SUM),
    NETWORK_TRANSMITTED("Network - Transmitted kB/s", OfReplicas.SUM),
    NETWORK_RECEIVED_COMPRESSED("Network - Received compressed packets/s"),
    NETWORK_TRANSMITTED_COMPRESSED("Network - Transmitted compressed packets/s"),
    NETWORK_RECEIVED_MULTICAST("Network - Received multicast packets/s"),
    NETWORK_UTILIZATION("Network - Utilization (%)"),

    TASK_CLOCK("Task clock", OfReplicas.SUM),
    CONTEXT_SWITCHES("Context switches", OfReplicas.SUM),
    CPU_MIGRATIONS("CPU Migrations", OfReplicas.SUM),
    PAGE_FAULTS("Page faults", OfReplicas.SUM),

    /** The part of the periods with work to do in which the process had used up the CPU limit of its control group. */
    THROTTLED_PERIODS("CPU - Throttled periods (%)", OfReplicas.LARGEST),
    /** The part of the window's time that these periods were. */
    THROTTLED_TIME("CPU - Throttled (% of time)", OfReplicas.LARGEST),
    /** Time that the process was held back, added up over the processors, as the kernel counts it. */
    THROTTLED_MILLIS("CPU - Throttled time (ms)", OfReplicas.SUM),
    /** The CPU limit of the control group of the process. */
    CPU_LIMIT("CPU - Limit (processors)", OfReplicas.SUM),
    /** The memory limit of the control group of the process. */
    MEMORY_LIMIT("Memory - Limit (kB)", OfReplicas.SUM),
    /** The memory that counts against it: that of all processes of the group, and of the files that they have read. */
    MEMORY_OF_LIMIT("Memory - Used of the limit (kB)", OfReplicas.SUM),
    /** CPU time of the process, 100 for one processor at full work. */
    PROCESS_CPU("Process - CPU (% of one processor)", OfReplicas.SUM),
    /** CPU time of the process as a part of all processors. */
    PROCESS_CPU_OF_HOST("Process - CPU (% of all processors)"),
    /** CPU time of the process as a part of the processors that it was given. */
    PROCESS_CPU_OF_SET("Process - CPU (% of its processors)"),
    /** Number of processors that the process was given. */
    SET_SIZE("Processors of the process - Number"),
    /** Time that nobody used of the processors that the process was given. */
    SET_IDLE("Processors of the process - Idle (%)"),
    /** Resident memory of the process. */
    PROCESS_RESIDENT("Process - Resident memory (kB)", OfReplicas.SUM),
    /** Memory of the process, a page that several processes share counted once. */
    PROCESS_PROPORTIONAL("Process - Proportional memory (kB)", OfReplicas.SUM),
    /** Number of processes. */
    PROCESSES("Process - Processes", OfReplicas.SUM),
    /** Time that its threads were ready to run and had no processor, added up over the threads. */
    PROCESS_WAITING("Process - Waiting for a processor (% of time)", OfReplicas.SUM),
    /** CPU time of programs that are no part of the run, as a part of the processors that the process could use. */
    OTHER_PROGRAMS("Other programs - CPU (% of the process's processors)", OfReplicas.LARGEST),
    PROCESS_RESIDENT_LARGEST("Process - Largest resident memory (kB)"),
    PROCESS_THREADS("Process - Threads", OfReplicas.SUM),
    RETRANSMITTED("Network - Retransmitted TCP segments/s"),
    PRESSURE_CPU("Pressure - CPU (% of time)"),
    PRESSURE_IO("Pressure - IO (% of time)"),
    PRESSURE_MEMORY("Pressure - Memory (% of time)");

    /** Way in which the figures of several replicas of the gateway become one. */
    public enum OfReplicas {
        SUM,
        LARGEST,
        NONE
    }

    private final String header;
    private final OfReplicas ofReplicas;

    HostMetric(String header) {
        this(header, OfReplicas.NONE);
    }

    HostMetric(String header, OfReplicas ofReplicas) {
        this.header = header;
        this.ofReplicas = ofReplicas;
    }

    /** Returns the column, without the name of the process; a missing bracket is that of the published header. */
    public String header() {
        return header;
    }

    /** Returns what several replicas of the gateway come to together. */
    public OfReplicas ofReplicas() {
        return ofReplicas;
    }

    /** Returns the columns that past releases published for each process, in their order. */
    public static List<String> ofSar() {
        return headers(EnumSet.range(RUN_QUEUE, NETWORK_UTILIZATION));
    }

    /** Returns the columns of {@code perf stat}, published for the gateway and the back end. */
    public static List<String> ofPerf() {
        return headers(EnumSet.range(TASK_CLOCK, PAGE_FAULTS));
    }

    private static List<String> headers(EnumSet<HostMetric> metrics) {
        return metrics.stream().map(HostMetric::header).toList();
    }

    /** Returns the metric of a column. */
    public static Optional<HostMetric> of(String header) {
        return Arrays.stream(values())
                .filter(metric -> metric.header.equals(header))
                .findFirst();
    }
}
