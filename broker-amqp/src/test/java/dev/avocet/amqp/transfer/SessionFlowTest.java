package dev.avocet.amqp.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.amqp.frame.FrameWriter;
import org.apache.qpid.protonj2.buffer.ProtonBuffer;
import org.apache.qpid.protonj2.types.messaging.Accepted;
import org.apache.qpid.protonj2.types.messaging.Released;
import org.apache.qpid.protonj2.types.transport.Begin;
import org.apache.qpid.protonj2.types.transport.DeliveryState;
import org.junit.jupiter.api.Test;

/** Answers to what a client has sent: the urgent ones, and those that wait for other frames. */
final class SessionFlowTest {
    private static final DeliveryState ACCEPTED = Accepted.getInstance();

    private final Sink sink = new Sink();
    private int batchEnds;
    private int laters;
    private final SessionFlows flows = new SessionFlows(sink, () -> batchEnds++, () -> laters++, how -> {}, e -> {});
    private final SessionFlow session = new SessionFlow(flows, new Begin(), 1);

    @Test
    void shouldAnswerAtTheEndOfTheBatch() {
        // when
        session.settle(0, 3, ACCEPTED, true);
        session.settle(4, ACCEPTED);

        // then
        assertThat(batchEnds).isEqualTo(1);
        assertThat(laters).isZero();
        flows.flush();
        assertThat(sink.frames).isEqualTo(1);
    }

    @Test
    void shouldHoldAnswersThatAreNotUrgentUntilSomethingElseGoesOut() {
        // when
        session.settle(0, 3, ACCEPTED, false);
        session.settle(4, 9, ACCEPTED, false);

        // then
        assertThat(batchEnds).isZero();
        assertThat(laters).isEqualTo(1);
        flows.flush();
        assertThat(sink.frames).isEqualTo(1);
    }

    @Test
    void shouldAnswerWhatIsHeldTogetherWithWhatIsUrgent() {
        // given
        session.settle(0, 3, ACCEPTED, false);

        // when
        session.settle(4, 4, ACCEPTED, true);

        // then
        assertThat(batchEnds).isEqualTo(1);
        flows.flush();
        assertThat(sink.frames).isEqualTo(1);
    }

    @Test
    void shouldAnswerWhatIsHeldAfterAWhile() {
        // given
        session.settle(0, 3, ACCEPTED, false);

        // when
        flows.release();

        // then
        assertThat(batchEnds).isEqualTo(1);
        flows.flush();
        assertThat(sink.frames).isEqualTo(1);
    }

    @Test
    void shouldWaitAnewForWhatIsHeldLater() {
        // given
        session.settle(0, 3, ACCEPTED, false);
        flows.flush();
        flows.release();
        assertThat(batchEnds).isZero();

        // when
        session.settle(4, 4, ACCEPTED, false);

        // then
        assertThat(laters).isEqualTo(2);
    }

    @Test
    void shouldKeepTheOrderOfAnswersThatDiffer() {
        // given
        session.settle(0, 3, ACCEPTED, false);

        // when
        session.settle(4, Released.getInstance());

        // then
        assertThat(sink.frames).isEqualTo(1);
        assertThat(batchEnds).isEqualTo(1);
        flows.flush();
        assertThat(sink.frames).isEqualTo(2);
    }

    private static final class Sink implements FrameSink {
        private int frames;

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void write(ProtonBuffer frame) {
            frames++;
        }

        @Override
        public void write(FrameWriter frame, boolean isFree) {
            frames++;
        }

        @Override
        public void write(FrameWriter frame, Payload payload, int from, int count) {
            frames++;
        }
    }
}
