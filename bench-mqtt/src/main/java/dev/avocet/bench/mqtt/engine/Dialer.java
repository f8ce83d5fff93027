package dev.avocet.bench.mqtt.engine;

import dev.avocet.bench.mqtt.engine.flow.WebSocketBytes;
import dev.avocet.bench.mqtt.engine.plan.Door;
import dev.avocet.bench.mqtt.engine.plan.RunPlan.Server;
import dev.avocet.bench.mqtt.engine.plan.TlsClients;
import dev.avocet.bench.mqtt.engine.plan.TlsTrouble;
import dev.avocet.bench.mqtt.engine.plan.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections: which address to which, with TLS and WebSocket where they are asked for. The nodes of a pair are
 * tried in turn, first the one that took the last connection. Any thread.
 */
final class Dialer {
    private static final int READ_BYTES = 64 * 1024;
    /** Of a server that has taken connections, and may have many to take. */
    private static final int CONNECT_TIMEOUT_MS = 30_000;
    /** Of a node that has another one beside it. */
    private static final int NODE_TIMEOUT_MS = 2_000;

    private static final int MAX_HANDSHAKE_BYTES = 8192;
    private static final String WEB_SOCKET_PATH = "/mqtt";

    private final Server server;
    private final Transport transport;
    private final TlsClients.@Nullable Handlers tls;
    private final TlsTrouble tlsTrouble;
    /** By broker: the node that took the last connection. */
    private final AtomicIntegerArray active;

    Dialer(Server server, Transport transport, TlsClients.@Nullable Handlers tls) {
        this.server = server;
        this.transport = transport;
        this.tls = tls;
        this.tlsTrouble = new TlsTrouble(server.tls());
        this.active = new AtomicIntegerArray(server.brokers().size());
    }

    /**
     * Called by the client's loop; the client is told when it fails.
     *
     * @param number of the client, which chooses its addresses
     */
    void open(SimulatedClient client, int number) {
        InetSocketAddress listed = client.door().address();
        int broker = number % server.brokers().size();
        int nodes = listed == null ? server.brokers().get(broker).nodes().size() : 1;
        Dialing dialing = new Dialing(this, number, nodes, listed == null ? active.get(broker) : 0);
        client.connecting(dialing);
        if (listed != null) {
            connect(client, number, listed, timeoutMs(client)).addListener(done -> {
                if (!done.isSuccess()) {
                    client.connectFailed(done.cause());
                }
            });
        } else {
            open(client, dialing);
        }
    }

    /** Opens a connection to the node whose turn it is. */
    void open(SimulatedClient client, Dialing dialing) {
        int number = dialing.number();
        int broker = number % server.brokers().size();
        int node = dialing.node();
        List<InetSocketAddress> nodes = server.brokers().get(broker).nodes();
        int timeoutMs = nodes.size() == 1 ? timeoutMs(client) : Math.min(NODE_TIMEOUT_MS, timeoutMs(client));
        connect(client, number, nodes.get(node), timeoutMs).addListener(done -> {
            if (done.isSuccess()) {
                active.set(broker, node);
            } else if (dialing.hasAnother()) {
                dialing.goOn(client);
            } else {
                client.connectFailed(done.cause());
            }
        });
    }

    /** Whether clients resume TLS sessions. */
    boolean resumesTls() {
        return server.tls() != null && server.tls().resumes();
    }

    private ChannelFuture connect(SimulatedClient client, int number, InetSocketAddress remote, int timeoutMs) {
        Bootstrap bootstrap = new Bootstrap()
                .group(client.lane().loop)
                .channel(transport.channelType())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMs)
                .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(READ_BYTES / 2, READ_BYTES))
                .handler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        addHandlers(channel, remote, client, number);
                    }
                });
        if (transport.hasEpoll()) {
            bootstrap.option(EpollChannelOption.IP_BIND_ADDRESS_NO_PORT, true);
        }
        return server.sourceAddresses().isEmpty()
                ? bootstrap.connect(remote)
                : bootstrap.connect(remote, new InetSocketAddress(source(number), 0));
    }

    private int timeoutMs(SimulatedClient client) {
        return client.lane().ready.value() > 0
                ? CONNECT_TIMEOUT_MS
                : (int) TimeUnit.SECONDS.toMillis(server.connectTimeoutSeconds());
    }

    private InetAddress source(int number) {
        return server.sourceAddresses().get(number % server.sourceAddresses().size());
    }

    private void addHandlers(Channel channel, InetSocketAddress remote, SimulatedClient client, int number) {
        ChannelPipeline pipeline = channel.pipeline();
        Boolean isListedTls = client.door().isTls();
        boolean isTls = isListedTls == null ? server.tls() != null : isListedTls;
        if (isTls && tls != null) {
            pipeline.addLast(tls.newHandler(
                    channel.alloc(), remote, number, client.door().certificate()));
            pipeline.addLast(tlsTrouble);
        }
        String path = webSocketPath(client.door());
        if (path != null) {
            String scheme = isTls ? "wss" : "ws";
            WebSocketClientProtocolConfig config = WebSocketClientProtocolConfig.newBuilder()
                    .webSocketUri(scheme + "://" + remote.getHostString() + ":" + remote.getPort() + path)
                    .subprotocol("mqtt")
                    .maxFramePayloadLength(Integer.MAX_VALUE)
                    .build();
            pipeline.addLast(
                    new HttpClientCodec(),
                    new HttpObjectAggregator(MAX_HANDSHAKE_BYTES),
                    new WebSocketClientProtocolHandler(config),
                    new WebSocketBytes());
        }
        pipeline.addLast(client);
    }

    private @Nullable String webSocketPath(Door door) {
        Boolean isListed = door.isWebSocket();
        if (isListed == null) {
            return server.webSocketPath();
        }
        if (!isListed) {
            return null;
        }
        return server.webSocketPath() == null ? WEB_SOCKET_PATH : server.webSocketPath();
    }
}
