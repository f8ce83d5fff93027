package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.jms.Allocations;
import dev.avocet.jms.Lies;
import dev.avocet.jms.client.codec.MalformedAmqpException;
import dev.avocet.jms.client.codec.SymbolMemory;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.engine.exceptions.EngineStateException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FrameReaderTest {
    private static final long ENGINE_AND_FRAME_BYTES = 1_000_000;

    private final Engine engine = EngineFactory.PROTON.createEngine();
    private final AtomicInteger passed = new AtomicInteger();

    @Test
    void shouldEndNewsOfAChangedState() {
        watch();

        engine.shutdown();

        assertThat(passed).hasValue(0);
    }

    @Test
    void shouldEndNewsOfAFailure() {
        watch();

        final EngineStateException unused = engine.engineFailed(new IllegalStateException("on purpose"));

        assertThat(passed).hasValue(0);
    }

    /** Nothing of it gets to ProtonJ2, which would take the memory. */
    @ParameterizedTest
    @EnumSource
    void shouldTakeNoMemoryForAPerformativeThatClaimsTooMuch(final Lies lie) {
        final byte[] value = lie.bytes();
        final byte[] frame = ByteBuffer.allocate(20 + value.length)
                .putInt(20 + value.length)
                .put(new byte[] {2, 0, 0, 0, 0, 0x53, 0x18, (byte) 0xd0})
                .putInt(4 + value.length)
                .putInt(1)
                .put(value)
                .array();

        assertThat(Allocations.bytesOf(() -> {
                    final Throwable unused = refusal(frame);
                }))
                .isLessThan(ENGINE_AND_FRAME_BYTES);
        assertThat(refusal(frame)).isInstanceOf(MalformedAmqpException.class).hasMessageContaining(lie.named());
    }

    private static @Nullable Throwable refusal(final byte[] bytes) {
        final Engine reading = EngineFactory.PROTON.createEngine();
        final FrameReader reader = new FrameReader(1024, new SymbolMemory());
        reading.pipeline().addLast("frames", reader);
        reading.start();
        reader.add(Unpooled.wrappedBuffer(bytes));
        try {
            reading.ingest(reader.signal());
            return null;
        } catch (final EngineStateException e) {
            return e.getCause();
        }
    }

    private void watch() {
        engine.pipeline().addLast("frames", new FrameReader(1024, new SymbolMemory()));
        engine.pipeline().addLast("behind", new EngineHandler() {
            @Override
            public void handleEngineStateChanged(final EngineHandlerContext context) {
                passed.incrementAndGet();
            }

            @Override
            public void engineFailed(final EngineHandlerContext context, final EngineFailedException failure) {
                passed.incrementAndGet();
            }
        });
        engine.start();
    }
}
