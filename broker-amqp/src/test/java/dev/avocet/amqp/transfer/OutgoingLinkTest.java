package dev.avocet.amqp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.frame.FrameWriter;
import java.util.ArrayList;
import java.util.List;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.Flow;
import org.junit.jupiter.api.Test;

final class OutgoingLinkTest {
    private static final int FRAME_BYTES = 512;

    private final Sink sink = new Sink();
    private final SessionFlows flows = new SessionFlows(sink, () -> {}, () -> {}, how -> {}, e -> {});
    private final SessionFlow session = new SessionFlow(flows, new Begin().setIncomingWindow(1_000), 10);
    private final OutgoingLink link = new OutgoingLink(session);

    /** What is written may make the connection writable again, and its links hear of that meanwhile. */
    @Test
    void shouldBeginNoMessageInTheMiddleOfAnother() {
        // given
        link.attached();
        flows.opened(FRAME_BYTES, 10);
        link.onFlow(new Flow().setNextIncomingId(0).setIncomingWindow(1_000).setLinkCredit(10));
        sink.onWrite = () -> {
            sink.couldSend.add(link.canSend());
            link.sendOn();
        };

        // when
        link.send(new Payload(new byte[300], new byte[1_000]), "kept");

        // then
        assertThat(sink.bytes).hasSize(3).allMatch(count -> count <= FRAME_BYTES);
        assertThat(sink.bytes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_300);
        assertThat(sink.couldSend).containsExactly(false, false, false);
        assertThat(link.canSend()).isTrue();
    }

    @Test
    void shouldGoOnWhereTheConnectionWasFull() {
        // given
        link.attached();
        flows.opened(FRAME_BYTES, 10);
        link.onFlow(new Flow().setNextIncomingId(0).setIncomingWindow(1_000).setLinkCredit(10));
        sink.onWrite = () -> sink.writable = false;
        link.send(new Payload(new byte[1_000]), null);
        assertThat(sink.bytes).hasSize(1);

        // when
        sink.writable = true;
        boolean could = link.canSend();
        sink.onWrite = () -> {};
        link.sendOn();

        // then
        assertThat(could).isFalse();
        assertThat(sink.bytes.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000);
        assertThat(link.canSend()).isTrue();
    }

    private static final class Sink implements FrameSink {
        final List<Integer> bytes = new ArrayList<>();
        final List<Boolean> couldSend = new ArrayList<>();
        boolean writable = true;
        Runnable onWrite = () -> {};

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public void write(FrameWriter frame, boolean isFree) {
            throw new AssertionError("no flow and no disposition is asked for");
        }

        @Override
        public void write(FrameWriter frame, Payload payload, int from, int count) {
            bytes.add(count);
            onWrite.run();
        }

        @Override
        public void write(ProtonBuffer frame) {
            throw new AssertionError("no frame of ProtonJ2 is asked for");
        }
    }
}
