package dev.avocet.mqtt.frontend;

import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.mqtt.connection.MqttConnections;
import dev.avocet.mqtt.frontend.UpgradeRequest.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Answers the one HTTP request of a connection: with the upgrade, after which the handlers of HTTP make room for those
 * of WebSocket and MQTT, or with an explanation and the end. The endpoint's deadline for CONNECT runs meanwhile.
 */
final class WebSocketUpgrade extends ChannelInboundHandlerAdapter {
    private static final String ABOUT = """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>Avocet</title></head>
            <body><h1>Avocet</h1><p>A message broker is running here. It serves MQTT 3.1, 3.1.1 and 5.0, also over
            WebSocket, on this port.</p></body></html>
            """;
    private static final String REFUSED = "WebSocket upgrade refused";

    private final MqttConnections connections;
    private final WebSocketOptions options;
    private final IoLoop loop;
    private final Admission admission;
    private @Nullable UpgradeRequest granted;
    private boolean refused;

    WebSocketUpgrade(MqttConnections connections, WebSocketOptions options, IoLoop loop, Admission admission) {
        this.connections = connections;
        this.options = options;
        this.loop = loop;
        this.admission = admission;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        try {
            if (refused) {
                return;
            }
            if (message instanceof HttpRequest request) {
                onRequest(context, request);
            }
            if (message instanceof LastHttpContent && granted != null) {
                upgrade(context, granted);
            }
        } finally {
            ReferenceCountUtil.release(message);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close(); // a reset, mostly; counted as a bad connection when it closes
    }

    private void onRequest(ChannelHandlerContext context, HttpRequest message) {
        UpgradeRequest request = new UpgradeRequest(message);
        if (options.about() && request.isForAPage()) {
            refused = true;
            context.writeAndFlush(aboutPage()).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        Refusal refusal = request.refusal(options);
        if (refusal == null) {
            granted = request;
        } else {
            refused = true;
            connections.noteRefused(context.channel(), loop, REFUSED, refusal.text());
            context.writeAndFlush(response(refusal)).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /** Bytes behind the request, should there be any, go to the stream of frames: the decoder of HTTP leaves last. */
    private void upgrade(ChannelHandlerContext context, UpgradeRequest request) {
        granted = null;
        context.writeAndFlush(response(request));
        ChannelPipeline pipeline = context.pipeline();
        pipeline.addLast(new WebSocketStream(connections, loop, admission.maxPacketBytes()));
        pipeline.addLast(connections.open(
                context.channel(),
                loop,
                admission,
                MqttWebSocketFrontEnd.PROTOCOL,
                request.credentials(options.origins())));
        pipeline.remove(HttpResponseEncoder.class);
        pipeline.remove(this);
        pipeline.remove(HttpRequestDecoder.class);
    }

    private static FullHttpResponse response(UpgradeRequest request) {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.SWITCHING_PROTOCOLS, Unpooled.EMPTY_BUFFER);
        response.headers()
                .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.UPGRADE)
                .set(HttpHeaderNames.SEC_WEBSOCKET_ACCEPT, request.accept())
                .set(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, request.subProtocol());
        return response;
    }

    /** No version: the client has not said who it is. */
    private static FullHttpResponse aboutPage() {
        ByteBuf text = Unpooled.wrappedBuffer(ABOUT.getBytes(StandardCharsets.UTF_8));
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, text);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/html; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes())
                .set(HttpHeaderNames.CONTENT_SECURITY_POLICY, "default-src 'none'")
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        return response;
    }

    private static FullHttpResponse response(Refusal refusal) {
        ByteBuf text = Unpooled.wrappedBuffer((refusal.text() + "\n").getBytes(StandardCharsets.UTF_8));
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, refusal.status(), text);
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .set(HttpHeaderNames.CONTENT_LENGTH, text.readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (refusal.status().equals(HttpResponseStatus.UPGRADE_REQUIRED)) {
            response.headers()
                    .set(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET)
                    .set(HttpHeaderNames.SEC_WEBSOCKET_VERSION, UpgradeRequest.SUPPORTED_VERSION)
                    .set(HttpHeaderNames.CONNECTION, "Upgrade, close");
        }
        return response;
    }
}
