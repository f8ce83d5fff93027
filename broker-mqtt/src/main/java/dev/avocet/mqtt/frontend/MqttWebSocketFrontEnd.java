package dev.avocet.mqtt.frontend;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.mqtt.connection.MqttConnections;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;

/**
 * MQTT over WebSocket (MQTT 5 section 6, RFC 6455): takes connections that begin as HTTP, answers the upgrade, and
 * carries the bytes of MQTT packets in binary frames from then on.
 */
public final class MqttWebSocketFrontEnd implements FrontEnd {
    static final String PROTOCOL = "mqtt-websocket";

    private static final byte[] GET = {'G', 'E', 'T', ' '};
    /** A browser's request with its cookies; the client is not known yet, so no more. */
    private static final int MAX_HEADER_BYTES = 8 << 10;

    private static final int MAX_REQUEST_LINE_BYTES = 2 << 10;

    private final MqttConnections connections;
    private final WebSocketOptions options;

    public MqttWebSocketFrontEnd(MqttConnections connections, WebSocketOptions options) {
        this.connections = connections;
        this.options = options;
    }

    @Override
    public String protocol() {
        return PROTOCOL;
    }

    /** A WebSocket connection begins with a GET request (RFC 6455, 4.1). */
    @Override
    public Recognition recognise(ByteBuf firstBytes) {
        int length = Math.min(GET.length, firstBytes.readableBytes());
        for (int i = 0; i < length; i++) {
            if (firstBytes.getByte(firstBytes.readerIndex() + i) != GET[i]) {
                return Recognition.NO;
            }
        }
        return length == GET.length ? Recognition.YES : Recognition.UNDECIDED;
    }

    @Override
    public void adopt(Channel channel, IoLoop loop, Admission admission) {
        HttpDecoderConfig limits = new HttpDecoderConfig()
                .setMaxInitialLineLength(MAX_REQUEST_LINE_BYTES)
                .setMaxHeaderSize(MAX_HEADER_BYTES);
        channel.pipeline()
                .addLast(new HttpRequestDecoder(limits))
                .addLast(new HttpResponseEncoder())
                .addLast(new WebSocketUpgrade(connections, options, loop, admission));
    }
}
