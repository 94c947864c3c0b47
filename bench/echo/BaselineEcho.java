/* SPDX-License-Identifier: Apache-2.0 */

import java.io.FileInputStream;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;

import com.sun.net.httpserver.HttpServer;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http2.DefaultHttp2Connection;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.codec.http2.HttpConversionUtil;
import io.netty.handler.codec.http2.HttpToHttp2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.InboundHttp2ToHttpAdapterBuilder;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolNegotiationHandler;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;

/**
 * A re-creation of the pipeline of the usual Netty echo service: NIO, HTTP codec, aggregator, copied body, one timer and
 * one flush per response; HTTP/2 converted to HTTP/1 objects and back. It is not the predecessor's code.
 *
 * <p>A request for {@code /warm} is answered at once, so that the code gets warm before delays are measured.
 *
 * <p>Arguments: port, admin port, delay in ms, worker threads, and for TLS with HTTP/2 a PKCS12 file and its password.
 */
public final class BaselineEcho {

    public static void main(String[] args) throws Exception {
        int delay = Integer.parseInt(args[2]);
        SslContext tls = args.length > 4 ? tls(args[4], args[5]) : null;
        EventLoopGroup boss = new NioEventLoopGroup(1);
        EventLoopGroup workers = new NioEventLoopGroup(Integer.parseInt(args[3]));
        new ServerBootstrap()
                .group(boss, workers)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 16384)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        if (tls == null) {
                            http1(channel, delay);
                            return;
                        }
                        channel.pipeline().addLast(tls.newHandler(channel.alloc()), new Negotiated(delay));
                    }
                })
                .bind("127.0.0.1", Integer.parseInt(args[0]))
                .sync();
        HttpServer admin = HttpServer.create(new java.net.InetSocketAddress("127.0.0.1", Integer.parseInt(args[1])), 0);
        admin.createContext("/metrics", exchange -> {
            byte[] text = ("jvm_allocated_bytes_total " + allocated() + "\n").getBytes();
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        admin.start();
        System.out.println("baseline ready, TLS by " + (tls == null ? "none" : tls.getClass().getSimpleName()));
    }

    private static long allocated() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (long bytes : threads.getThreadAllocatedBytes(threads.getAllThreadIds())) {
            sum += Math.max(0, bytes);
        }
        return sum;
    }

    private static SslContext tls(String file, String password) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = new FileInputStream(file)) {
            store.load(in, password.toCharArray());
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, password.toCharArray());
        return SslContextBuilder.forServer(keys)
                .sslProvider(OpenSsl.isAvailable() ? SslProvider.OPENSSL : SslProvider.JDK)
                .ciphers(Http2SecurityUtil.CIPHERS, SupportedCipherSuiteFilter.INSTANCE)
                .applicationProtocolConfig(new ApplicationProtocolConfig(
                        ApplicationProtocolConfig.Protocol.ALPN,
                        ApplicationProtocolConfig.SelectorFailureBehavior.NO_ADVERTISE,
                        ApplicationProtocolConfig.SelectedListenerFailureBehavior.ACCEPT,
                        "h2",
                        "http/1.1"))
                .build();
    }

    private static void http1(io.netty.channel.Channel channel, int delay) {
        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 20), new Echo(delay));
    }

    private static final class Negotiated extends ApplicationProtocolNegotiationHandler {
        private final int delay;

        Negotiated(int delay) {
            super("http/1.1");
            this.delay = delay;
        }

        @Override
        protected void configurePipeline(ChannelHandlerContext context, String protocol) {
            if (!protocol.equals("h2")) {
                http1(context.channel(), delay);
                return;
            }
            Http2Connection connection = new DefaultHttp2Connection(true);
            context.pipeline()
                    .addLast(
                            new HttpToHttp2ConnectionHandlerBuilder()
                                    .frameListener(new InboundHttp2ToHttpAdapterBuilder(connection)
                                            .maxContentLength(100 << 10)
                                            .propagateSettings(false)
                                            .build())
                                    .connection(connection)
                                    .build(),
                            new Echo(delay));
        }
    }

    private static final class Echo extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final int delay;

        Echo(int delay) {
            this.delay = delay;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            FullHttpResponse response = new DefaultFullHttpResponse(
                    HttpVersion.HTTP_1_1, HttpResponseStatus.OK, request.content().copy());
            String type = request.headers().get(HttpHeaderNames.CONTENT_TYPE);
            if (type != null) {
                response.headers().set(HttpHeaderNames.CONTENT_TYPE, type);
            }
            String stream = request.headers().get(HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text());
            if (stream != null) {
                response.headers().set(HttpConversionUtil.ExtensionHeaderNames.STREAM_ID.text(), stream);
            }
            HttpUtil.setContentLength(response, response.content().readableBytes());
            if (delay > 0 && !request.uri().equals("/warm")) {
                context.executor().schedule(() -> context.writeAndFlush(response), delay, TimeUnit.MILLISECONDS);
            } else {
                context.writeAndFlush(response);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}
