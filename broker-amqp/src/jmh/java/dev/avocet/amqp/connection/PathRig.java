package dev.avocet.amqp.connection;

import dev.avocet.amqp.peer.AmqpOptions;
import dev.avocet.amqp.peer.ContainerIds;
import dev.avocet.core.broker.Broker;
import dev.avocet.core.broker.BrokerOptions;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.loop.MemoryGuard;
import dev.avocet.core.security.admission.AnonymousAuthenticator;
import dev.avocet.core.time.SystemClock;
import dev.avocet.testkit.OpenAdmission;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/** A broker with one loop, and the connections of a work, whose other ends are in memory. */
final class PathRig implements AutoCloseable {
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private final IoLoop loop = new IoLoop(0, tasks::add, () -> true, new SystemClock(), new MemoryGuard());
    private final AmqpConnections connections;
    private final List<EmbeddedChannel> senders = new ArrayList<>();
    private final List<TransferBatch> batches = new ArrayList<>();
    private final List<EmbeddedChannel> receivers = new ArrayList<>();
    private final List<ReceivingEnd> ends = new ArrayList<>();

    PathRig(PathWork work) {
        Broker broker = new Broker(BrokerOptions.DEFAULT, List.of(loop));
        connections =
                new AmqpConnections(broker, AmqpOptions.DEFAULT, new AnonymousAuthenticator(), new ContainerIds());
        for (int i = 0; i < work.receivers; i++) {
            ReceivingEnd end = new ReceivingEnd();
            ends.add(end);
            receivers.add(open("receiver-" + i, end, ClientFrames.receiver(work.address(i), work.capability)));
            end.begin();
        }
        for (int i = 0; i < work.senders; i++) {
            batches.add(new TransferBatch(PathWork.MESSAGES_PER_READ));
            senders.add(open("sender-" + i, new ReceivingEnd(), ClientFrames.sender(work.address(i), work.capability)));
        }
    }

    /** Each sender has sent, and each receiver accepts what it gets; returns how many messages have arrived. */
    long turn() {
        for (int i = 0; i < senders.size(); i++) {
            read(senders.get(i), batches.get(i).next());
        }
        endBatch();
        long arrived = 0;
        for (int i = 0; i < receivers.size(); i++) {
            ByteBuf accepted = ends.get(i).accept();
            if (accepted != null) {
                arrived += ends.get(i).arrived();
                read(receivers.get(i), accepted);
            }
        }
        endBatch();
        return arrived;
    }

    @Override
    public void close() {
        senders.forEach(EmbeddedChannel::close);
        receivers.forEach(EmbeddedChannel::close);
        endBatch();
        batches.forEach(TransferBatch::release);
    }

    private EmbeddedChannel open(String container, ReceivingEnd end, ByteBuf link) {
        EmbeddedChannel channel = new EmbeddedChannel();
        channel.config().setAllocator(PooledByteBufAllocator.DEFAULT);
        channel.pipeline().addLast(end, connections.open(channel, loop, new OpenAdmission()));
        for (ByteBuf frames :
                List.of(ClientFrames.header(), ClientFrames.open(container), ClientFrames.begin(), link)) {
            read(channel, frames);
            endBatch();
        }
        return channel;
    }

    private static void read(EmbeddedChannel channel, ByteBuf bytes) {
        channel.pipeline().fireChannelRead(bytes);
    }

    private void endBatch() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }
}
