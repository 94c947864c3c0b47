/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.hosts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import io.gatebench.model.SystemInformation.Row;

class LinuxSystemInformationTest {

    /** An entry of type 1 with one text, then that of the BIOS with two. */
    private static final String FIRMWARE = " 01 06 01 00 01 00 41 42 00 00\n"
            + " 00 18 00 00 01 02 00 e8 03 %s 08 00 00 00 00 00\n 00 00 00 00 00 00 00 00 41 00 42 00 00\n"
            + " 7f 04 02 00 00 00\n";

    @Test
    void hasTheRowsOfThePublishedTable() {
        assertThat(LinuxSystemInformation.parse("gw", host("00")).rows())
                .containsExactly(
                        new Row("System", "Processor", "CPU(s)", "2"),
                        new Row("System", "Processor", "Model name", "Xeon"),
                        new Row("System", "Memory", "BIOS", "64 KiB"),
                        new Row("System", "Memory", "System Memory", "4 GiB"),
                        new Row("System", "Storage", "Block Device: nvme0n1", "8G"),
                        new Row("Operating System", "Distribution", "Release", "Ubuntu 18.04.6 LTS"),
                        new Row("Operating System", "Distribution", "Kernel", "Linux ip-10-0-1-100 5.4.0 x86_64"));
    }

    @Test
    void leavesOutABiosWhoseSizeTheTableDoesNotTell() {
        assertThat(LinuxSystemInformation.parse("gw", host("ff")).rows())
                .noneMatch(row -> row.description().equals("BIOS"));
    }

    private static String host(String size) {
        return "==> /proc/cpuinfo <==\nprocessor : 0\nmodel name : Xeon\nprocessor : 1\nmodel name : Xeon\n"
                + "==> /proc/meminfo <==\nMemTotal:        4026532 kB\n"
                + "==> /etc/os-release <==\nPRETTY_NAME=\"Ubuntu 18.04.6 LTS\"\n"
                + "==> /sys/block/nvme0n1/size <==\n16777216\n"
                + "==> /sys/firmware/dmi/tables/DMI <==\n" + String.format(FIRMWARE, size)
                + "==> kernel <==\nLinux ip-10-0-1-100 5.4.0 x86_64\n";
    }
}
