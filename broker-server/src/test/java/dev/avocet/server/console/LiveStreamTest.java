package dev.avocet.server.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class LiveStreamTest {
    private static final byte[] EVENT = "data: {}\n\n".getBytes(UTF_8);

    private final Browser browser = new Browser();
    private boolean allowed = true;
    private final LiveStream stream = new LiveStream(browser, () -> allowed, 100);

    @Test
    void shouldLeaveOutWhatABrowserIsTooSlowFor() {
        // when
        stream.send(EVENT);
        browser.ready = false;
        stream.send(EVENT);
        browser.ready = true;
        stream.send(EVENT);

        // then
        assertThat(browser.got.toString(UTF_8)).isEqualTo("data: {}\n\ndata: {}\n\n");
        assertThat(browser.flushes).isEqualTo(2);
    }

    @Test
    void shouldEndWhenThePageIsGone() {
        // given
        browser.gone = true;

        // when
        stream.send(EVENT);

        // then
        assertThat(stream.goesOn(0)).isFalse();
        assertThat(stream.ended()).isCompleted();
    }

    @Test
    void shouldEndAtItsTimeAndWithTheLogin() {
        assertThat(stream.goesOn(99)).isTrue();
        allowed = false;
        assertThat(stream.goesOn(99)).isFalse();
        assertThat(new LiveStream(browser, () -> true, 100).goesOn(100)).isFalse();
    }

    private static final class Browser extends ServletOutputStream {
        private final ByteArrayOutputStream got = new ByteArrayOutputStream();
        private boolean ready = true;
        private boolean gone;
        private int flushes;

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
            throw new AssertionError("not asked for");
        }

        @Override
        public void write(int b) throws IOException {
            if (gone) {
                throw new IOException("connection reset");
            }
            got.write(b);
        }

        @Override
        public void flush() {
            flushes++;
        }
    }
}
