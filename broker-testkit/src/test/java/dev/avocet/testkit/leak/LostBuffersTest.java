package dev.avocet.testkit.leak;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class LostBuffersTest {

    static Stream<ByteBufAllocator> allocators() {
        return Stream.of(
                new AdaptiveByteBufAllocator(), new PooledByteBufAllocator(), new UnpooledByteBufAllocator(true));
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void shouldSayWhereALostBufferWasAllocated(ByteBufAllocator allocator) throws InterruptedException {
        // given
        lose(allocator);
        LostBuffers.collect();

        // then
        assertThatThrownBy(LostBuffers::failIfAnyWasLost)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("1 buffers were not released")
                .hasMessageContaining("LostBuffersTest.lose");
    }

    @ParameterizedTest
    @MethodSource("allocators")
    void shouldLetBuffersPassThatWereReleased(ByteBufAllocator allocator) {
        // given
        allocator.buffer(16).release();

        // then
        assertThatCode(LostBuffers::failIfAnyWasLost).doesNotThrowAnyException();
    }

    private static void lose(ByteBufAllocator allocator) {
        allocator.buffer(16).writeByte(1);
    }
}
