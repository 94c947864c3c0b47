/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;

/** One connection of the back end without a socket, whose clock stands still. */
final class Wire {

    private static final Behaviour BEHAVIOUR = new Behaviour(EchoServerConfig.builder()
            .host("127.0.0.1")
            .port(0)
            .noAdmin()
            .http2(true)
            .maxContentLength(100_000)
            .build());

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final LoopContext loop = new LoopContext(channel.eventLoop(), BEHAVIOUR, () -> 1, null);

    private Wire() {}

    /** Returns what a connection answers to bytes that come in pieces of a length. */
    static byte[] answer(boolean http2, byte[] preface, byte[] bytes, int from, int atOnce) {
        Wire wire = new Wire();
        ChannelHandler connection = http2 ? Http2Connection.of(wire.loop) : new Http1Connection(wire.loop, true);
        wire.channel.pipeline().addLast(connection);
        wire.send(preface, 0, preface.length);
        for (int at = from; at < bytes.length && wire.channel.isOpen(); at += atOnce) {
            wire.send(bytes, at, Math.min(bytes.length, at + (long) atOnce));
        }
        return wire.end();
    }

    private void send(byte[] bytes, int from, long to) {
        ByteBuf piece = Unpooled.copiedBuffer(Arrays.copyOfRange(bytes, from, (int) to));
        if (!channel.isOpen()) {
            piece.release();
            return;
        }
        channel.writeInbound(piece);
        channel.runPendingTasks();
    }

    private byte[] end() {
        ByteBuf all = Unpooled.buffer();
        for (ByteBuf part = channel.readOutbound(); part != null; part = channel.readOutbound()) {
            all.writeBytes(part);
            part.release();
        }
        channel.finishAndReleaseAll();
        channel.checkException();
        byte[] answer = ByteBufUtil.getBytes(all);
        all.release();
        return answer;
    }
}
