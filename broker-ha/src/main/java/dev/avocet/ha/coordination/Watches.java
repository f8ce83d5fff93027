package dev.avocet.ha.coordination;

import dev.avocet.ha.coordination.Coordinator.Watch;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a coordinator. Each hears of a revision once, in their order. Thread-safe. */
public final class Watches {
    private static final Logger LOG = LoggerFactory.getLogger(Watches.class);

    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    /** Adds a listener, which hears of what is told from now on. */
    public Watch add(Consumer<Register> listener) {
        Listener added = new Listener(listener);
        listeners.add(added);
        return () -> listeners.remove(added);
    }

    /** Tells all that have not heard of this value or a later one. */
    public void tell(Register register) {
        listeners.forEach(listener -> listener.tell(register));
    }

    /** One listener. */
    private static final class Listener {
        private final Consumer<Register> consumer;
        private long heard;

        Listener(Consumer<Register> consumer) {
            this.consumer = consumer;
        }

        /** The lock keeps revisions in order when two threads of a coordinator tell; no message passes here. */
        synchronized void tell(Register register) {
            if (register.revision() <= heard) {
                return;
            }
            heard = register.revision();
            try {
                consumer.accept(register);
            } catch (RuntimeException e) {
                LOG.error("A listener failed when it heard of {}", register, e);
            }
        }
    }
}
