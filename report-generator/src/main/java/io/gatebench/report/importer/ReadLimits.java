/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.report.importer;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Limits of what is read of a foreign file: a file from elsewhere must not fill memory or run for hours. */
final class ReadLimits {

    /** Largest CSV or Markdown file in bytes. */
    static final long TABLE_BYTES = 64L << 20;
    /** Largest summary or metadata JSON in bytes. */
    static final long JSON_BYTES = 16L << 20;
    /** Largest unpacked sample file in bytes: ten times a 15 minute run at 3,000 requests per second. */
    static final long SAMPLE_BYTES = 8L << 30;
    /** Most labels of a sample file; each has a histogram. */
    static final int LABELS = 2_000;
    /** Largest unpacked GC log or host report in bytes. */
    static final long LOG_BYTES = 512L << 20;
    /** Largest ratio of unpacked to packed size; sample files reach about 20. */
    static final long UNPACK_RATIO = 400;
    /** Most entries of an archive. */
    static final int ARCHIVE_ENTRIES = 200_000;
    /** Most files and directories that a results tree may have. */
    static final int TREE_ENTRIES = 500_000;

    private ReadLimits() {}

    /** Returns a stream that fails with a clear message when more than that many bytes were read. */
    static InputStream limited(InputStream in, long bytes, String what) {
        return new FilterInputStream(in) {
            private long left = bytes;

            @Override
            public int read() throws IOException {
                int b = super.read();
                if (b >= 0) {
                    taken(1);
                }
                return b;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) throws IOException {
                int count = super.read(buffer, offset, length);
                taken(count);
                return count;
            }

            private void taken(int count) throws IOException {
                left -= Math.max(0, count);
                if (left < 0) {
                    throw new IOException(what + " is larger than " + bytes + " bytes; the rest was not read");
                }
            }
        };
    }
}
