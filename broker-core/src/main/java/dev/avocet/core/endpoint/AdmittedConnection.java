package dev.avocet.core.endpoint;

import dev.avocet.core.frontend.FrontEnd;
import dev.avocet.core.frontend.Leniency;
import dev.avocet.core.frontend.Sending;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.login.ClientOrigin;
import dev.avocet.core.time.TimerWheel.Timer;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the endpoint knows of a connection: since it was let in, whether it has said who it is, and the deadline for
 * that. Owned by the connection's loop.
 */
final class AdmittedConnection implements FrontEnd.Admission, ChannelFutureListener {
    private final Channel channel;
    private final Surroundings around;
    private @Nullable String commonName;
    private @Nullable String user;
    private @Nullable Timer deadline;
    private boolean accepted;
    private boolean expired;

    AdmittedConnection(Channel channel, Surroundings around) {
        this.channel = channel;
        this.around = around;
        count(Counter.CONNECTIONS_ACCEPTED, 1);
        count(Counter.CONNECTIONS_ACTIVE, 1);
        long timeoutNs = TimeUnit.MILLISECONDS.toNanos(around.options().firstPacketTimeoutMs());
        this.deadline = around.loop().timers().schedule(timeoutNs, this::expire);
        channel.closeFuture().addListener(this);
    }

    @Override
    public int maxPacketBytes() {
        return around.options().maxMessageBytes();
    }

    @Override
    public ClientOrigin origin() {
        InetAddress address = channel.remoteAddress() instanceof InetSocketAddress remote ? remote.getAddress() : null;
        return new ClientOrigin(around.options().name(), address, commonName, user);
    }

    /**
     * The client has shown a certificate, which was verified, or has a pre-shared key.
     *
     * @param verifiedCommonName of the certificate
     * @param provenUser whom the certificate or the key stands for
     */
    void proven(@Nullable String verifiedCommonName, @Nullable String provenUser) {
        commonName = verifiedCommonName;
        user = provenUser;
    }

    @Override
    public EndpointPolicies policies() {
        return around.options().policies();
    }

    @Override
    public Sending sending() {
        return around.options().sending();
    }

    @Override
    public Leniency leniency() {
        return around.options().leniency();
    }

    @Override
    public LoopCounters counters() {
        return around.options().figures().of(around.loop().index());
    }

    @Override
    public void accepted() {
        // A session may come to a channel that has just been closed, before the handlers hear of it.
        if (!accepted && !channel.closeFuture().isDone()) {
            accepted = true;
            cancelDeadline();
            around.guard().accepted();
            around.onAccepted().accept(channel);
        }
    }

    @Override
    public void sendFreely(Runnable write) {
        HeldOutputs.sendFreely(channel, write);
    }

    @Override
    public boolean maySend() {
        return HeldOutputs.maySend(channel);
    }

    @Override
    public void operationComplete(ChannelFuture closed) {
        cancelDeadline();
        count(Counter.CONNECTIONS_ACTIVE, -1);
        if (!accepted) {
            count(Counter.CONNECTIONS_BAD, 1);
        }
        around.guard().closed(accepted);
        around.onClosed().accept(channel);
    }

    @Override
    public int expiredAfterMs() {
        return expired ? around.options().firstPacketTimeoutMs() : 0;
    }

    private void expire() {
        expired = true;
        channel.close();
    }

    private void count(Counter counter, int delta) {
        around.loop().counters().add(counter, delta);
        counters().add(counter, delta);
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel();
            deadline = null;
        }
    }

    @Override
    public String toString() {
        return channel.toString();
    }

    /**
     * What the connections of one endpoint on one loop have in common.
     *
     * @param onAccepted hears of each whose client is let in, on the loop, before the client is told
     * @param onClosed hears of each once, on the loop
     */
    record Surroundings(
            IoLoop loop,
            ConnectionGuard guard,
            EndpointOptions options,
            Consumer<Channel> onAccepted,
            Consumer<Channel> onClosed) {}
}
