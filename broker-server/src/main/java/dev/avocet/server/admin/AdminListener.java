package dev.avocet.server.admin;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;

/**
 * The socket of the administration. It takes connections from the beginning; what they ask waits in the kernel until an
 * {@link AdminServer} has started with it. Any thread.
 */
public final class AdminListener implements Closeable {
    private final AdminPlace place;
    private final ServerSocketChannel channel;

    private AdminListener(AdminPlace place, ServerSocketChannel channel) {
        this.place = place;
        this.channel = channel;
    }

    /**
     * Listens at a place.
     *
     * @throws IOException when the address cannot be bound
     */
    public static AdminListener bind(AdminPlace place) throws IOException {
        ServerSocketChannel channel = ServerSocketChannel.open();
        try {
            channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            channel.bind(place.address());
            return new AdminListener(place, channel);
        } catch (UnresolvedAddressException e) {
            channel.close();
            throw new IOException("there is no host '" + place.address().getHostString() + "'", e);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    /** Where it was to listen, with the port as it was asked for. */
    public AdminPlace place() {
        return place;
    }

    /** The port it listens on, also when the one asked for was 0. */
    public int port() throws IOException {
        return ((InetSocketAddress) channel.getLocalAddress()).getPort();
    }

    /** For the server, which closes it. */
    ServerSocketChannel channel() {
        return channel;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
