package dev.avocet.ha;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.role.PairNode;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks the coordinator, and has its answers heard on the thread of the pair. */
final class RegisterCalls {
    private static final Logger LOG = LoggerFactory.getLogger(RegisterCalls.class);

    private final Coordinator coordinator;
    private final PairThread thread;
    private final Supplier<@Nullable PairNode> node;

    /** @param node hears; null once its life is over */
    RegisterCalls(Coordinator coordinator, PairThread thread, Supplier<@Nullable PairNode> node) {
        this.coordinator = coordinator;
        this.thread = thread;
        this.node = node;
    }

    void read() {
        CompletionStage<Register> unused = coordinator.read().whenComplete((value, failure) -> {
            if (failure == null) {
                thread.execute(() -> {
                    PairNode present = node.get();
                    if (present != null) {
                        present.registerSeen(value);
                    }
                });
            } else {
                LOG.debug("The register was not read: {}", failure.getMessage());
            }
        });
    }

    void write(Register expected, Register next) {
        CompletionStage<CasResult> unused = coordinator
                .compareAndSet(expected, next)
                .whenComplete((result, failure) -> thread.execute(() -> {
                    PairNode present = node.get();
                    if (present != null && result != null) {
                        present.registerAnswered(result);
                    } else if (present != null) {
                        LOG.debug("The register was not written", failure);
                        present.registerUnanswered(next);
                    }
                }));
    }
}
