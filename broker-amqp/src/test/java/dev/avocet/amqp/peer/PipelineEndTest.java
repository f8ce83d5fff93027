package dev.avocet.amqp.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.apache.qpid.protonj2.engine.Engine;
import org.apache.qpid.protonj2.engine.EngineFactory;
import org.apache.qpid.protonj2.engine.EngineHandler;
import org.apache.qpid.protonj2.engine.EngineHandlerContext;
import org.apache.qpid.protonj2.engine.exceptions.EngineFailedException;
import org.apache.qpid.protonj2.engine.exceptions.EngineStateException;
import org.junit.jupiter.api.Test;

class PipelineEndTest {
    private final Engine engine = EngineFactory.PROTON.createNonSaslEngine();
    private final AtomicInteger passed = new AtomicInteger();

    @Test
    void shouldEndNewsOfAFailure() {
        watchedFrom(new PipelineEnd());

        engine.start();
        EngineStateException unused = engine.engineFailed(new IllegalStateException("on purpose"));

        assertThat(passed).hasValue(0);
    }

    @Test
    void shouldEndNewsOfAChangedState() {
        watchedFrom(new PipelineEnd());

        engine.start();
        engine.shutdown();

        assertThat(passed).hasValue(0);
    }

    /** That the counter sees what is not ended. */
    @Test
    void shouldBeNeeded() {
        watchedFrom(new EngineHandler() {});

        engine.start();
        engine.shutdown();

        assertThat(passed).hasValue(1);
    }

    private void watchedFrom(EngineHandler last) {
        engine.pipeline().addLast("last", last);
        engine.pipeline().addLast("behind", new EngineHandler() {
            @Override
            public void handleEngineStateChanged(EngineHandlerContext context) {
                passed.incrementAndGet();
            }

            @Override
            public void engineFailed(EngineHandlerContext context, EngineFailedException failure) {
                passed.incrementAndGet();
            }
        });
    }
}
