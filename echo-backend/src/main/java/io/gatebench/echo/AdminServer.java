/* SPDX-License-Identifier: Apache-2.0 */
package io.gatebench.echo;

import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.DefaultThreadFactory;

/** Health and metrics on a port and a thread of their own, so that they never mix with load. */
final class AdminServer implements AutoCloseable {

    private static final int MAX_BODY = 1024;
    private static final int IDLE_SECONDS = 60;

    private final EventLoopGroup group;
    private final int port;

    private AdminServer(EventLoopGroup group, int port) {
        this.group = group;
        this.port = port;
    }

    static AdminServer start(String host, int port, EchoServer server) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("echo-admin", true), NioIoHandler.newFactory());
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        channel.pipeline()
                                .addLast(
                                        new ReadTimeoutHandler(IDLE_SECONDS),
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(MAX_BODY),
                                        new AdminHandler(server));
                    }
                })
                .bind(host, port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            throw new EchoException(
                    "cannot listen on " + host + ":" + port + " for health and metrics: "
                            + bound.cause().getMessage()
                            + "; choose another port with --admin-port, 0 for any free one, none for none",
                    bound.cause());
        }
        return new AdminServer(group, ((InetSocketAddress) bound.channel().localAddress()).getPort());
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    private static final class AdminHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

        private final EchoServer server;

        AdminHandler(EchoServer server) {
            this.server = server;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            boolean head = request.method().equals(HttpMethod.HEAD);
            FullHttpResponse response;
            if (!head && !request.method().equals(HttpMethod.GET)) {
                response = text(HttpResponseStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are answered here\n");
                response.headers().set(HttpHeaderNames.ALLOW, "GET, HEAD");
            } else {
                response = switch (path(request.uri())) {
                    case "/health" -> text(HttpResponseStatus.OK, "ok\n");
                    case "/metrics" -> {
                        FullHttpResponse metrics = text(HttpResponseStatus.OK, Metrics.text(server, server.stats()));
                        metrics.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8");
                        yield metrics;
                    }
                    default -> text(HttpResponseStatus.NOT_FOUND, "try /health or /metrics\n");
                };
            }
            HttpUtil.setContentLength(response, response.content().readableBytes());
            if (head) {
                response.content().clear();
            }
            boolean keep = HttpUtil.isKeepAlive(request);
            HttpUtil.setKeepAlive(response, keep);
            ChannelFuture written = context.writeAndFlush(response);
            if (!keep) {
                written.addListener(ChannelFutureListener.CLOSE);
            }
        }

        private static String path(String uri) {
            int query = uri.indexOf('?');
            return query < 0 ? uri : uri.substring(0, query);
        }

        private static FullHttpResponse text(HttpResponseStatus status, String text) {
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, status, Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
            response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8");
            return response;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
