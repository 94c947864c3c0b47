/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.results;

import java.io.IOException;
import java.io.OutputStream;

import com.fasterxml.jackson.core.JsonGenerator;

/** The JSON document of a whole run while results are added to it, each of which was written apart. */
final class WholeJson {

    private static final byte[] FIRST = {' '};
    private static final byte[] FURTHER = {',', ' '};

    private final JsonGenerator head;
    private final OutputStream out;
    private byte[] before = FIRST;

    /** Continues a document whose list of results has just begun. */
    WholeJson(JsonGenerator head, OutputStream out) {
        this.head = head;
        this.out = out;
    }

    void add(byte[] form) throws IOException {
        out.write(before);
        out.write(form);
        before = FURTHER;
    }

    void end() throws IOException {
        head.writeEndArray();
        head.writeEndObject();
        head.writeRaw('\n');
        head.close();
    }
}
