/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.gc;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Reads a large file in blocks with all processors; memory does not grow with the file. */
final class BlockReader {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final int SLICE_BYTES = 1 << 18;

    /** From this size on the threads are worth their start. */
    static final long MIN_BYTES = 8L * BLOCK_BYTES;

    private final FileChannel file;
    private final long size;
    private final int blockBytes;

    private BlockReader(FileChannel file, long size, int blockBytes) {
        this.file = file;
        this.size = size;
        this.blockBytes = blockBytes;
    }

    /**
     * Hands out the lines of a file that tell something, in order and on the caller's thread.
     *
     * @param threads how many look through blocks
     */
    static void read(Path path, int threads, LogFile.LineTaker taker) throws IOException {
        read(path, threads, BLOCK_BYTES, taker);
    }

    static void read(Path path, int threads, int blockBytes, LogFile.LineTaker taker) throws IOException {
        ExecutorService pool = Executors.newFixedThreadPool(threads, BlockReader::daemon);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            new BlockReader(file, file.size(), blockBytes).read(pool, 2 * threads, taker);
        } finally {
            pool.shutdownNow();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "gc-log-block");
        thread.setDaemon(true);
        return thread;
    }

    private void read(ExecutorService pool, int ahead, LogFile.LineTaker taker) throws IOException {
        Deque<Future<BlockScan>> running = new ArrayDeque<>();
        long next = 0;
        while (next < size || !running.isEmpty()) {
            BlockScan free = null;
            if (next >= size || running.size() == ahead) {
                free = result(running.remove());
                free.drain(taker);
            }
            if (next < size) {
                long start = next;
                BlockScan block = free == null ? new BlockScan(blockBytes) : free;
                running.add(pool.submit(() -> scan(block, start)));
                next += blockBytes;
            }
        }
    }

    private static BlockScan result(Future<BlockScan> future) throws IOException {
        try {
            return future.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Reads a block, its last line whole, and the byte before it, which tells whether its first line begins there. */
    private BlockScan scan(BlockScan block, long start) throws IOException {
        long at = Math.max(0, start - 1);
        int limit = 0;
        int most = (int) Math.min(block.bytes.length, size - at);
        while (limit < most) {
            int count = file.read(ByteBuffer.wrap(block.bytes, limit, Math.min(SLICE_BYTES, most - limit)), at + limit);
            if (count < 0) {
                break;
            }
            limit += count;
        }
        block.content.changed(0, limit);
        int border = Math.min(limit, (int) (start - at) + blockBytes);
        int from = 0;
        if (start > 0) {
            int newline = block.content.indexOfNewline(0, limit);
            from = newline < 0 ? limit : newline + 1;
        }
        block.scan(from, border, limit);
        return block;
    }
}
