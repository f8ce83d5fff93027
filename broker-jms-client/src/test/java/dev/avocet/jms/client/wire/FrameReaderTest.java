package dev.avocet.jms.client.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.engine.exceptions.EngineStateException;
import org.junit.jupiter.api.Test;

class FrameReaderTest {
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

    private void watch() {
        engine.pipeline().addLast("frames", new FrameReader(1024));
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
