package dev.avocet.ha.link;

import dev.avocet.core.time.SystemClock;
import dev.avocet.ha.role.PairMessage;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** One end of a link, with what it has heard. */
final class Ends implements LinkListener, AutoCloseable {
    final List<LinkConnection> links = new CopyOnWriteArrayList<>();
    final Queue<PairMessage> messages = new ConcurrentLinkedQueue<>();
    final List<String> downs = new CopyOnWriteArrayList<>();
    final List<LinkRefusal> refusals = new CopyOnWriteArrayList<>();
    final LinkEnd end;
    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("link-under-test", true), NioIoHandler.newFactory());
    volatile LinkState state;

    Ends(LinkSettings settings, int port, LinkState state) throws IOException {
        this.state = state;
        this.end = new LinkEnd(
                settings,
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                () -> this.state,
                this,
                new SystemClock(),
                loop);
        end.start();
    }

    LinkConnection link() {
        return links.get(links.size() - 1);
    }

    boolean isUp() {
        return links.size() > downs.size();
    }

    @Override
    public void up(LinkConnection link) {
        links.add(link);
    }

    @Override
    public void received(LinkConnection link, PairMessage message) {
        messages.add(message);
    }

    @Override
    public void hasCredit(LinkConnection link) {
        assert link != null;
    }

    @Override
    public void down(LinkConnection link, String why) {
        downs.add(why);
    }

    @Override
    public void refused(LinkRefusal refusal) {
        refusals.add(refusal);
    }

    @Override
    public void close() {
        end.close();
        loop.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
