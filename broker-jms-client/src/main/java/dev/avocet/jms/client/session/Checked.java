package dev.avocet.jms.client.session;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** Calls the classic interface for the simplified one, whose exceptions are unchecked. */
final class Checked {
    private Checked() {}

    @FunctionalInterface
    interface Call<T extends @Nullable Object> {
        T call() throws JMSException;
    }

    @FunctionalInterface
    interface Action {
        void run() throws JMSException;
    }

    static <T extends @Nullable Object> T get(final Call<T> call) {
        try {
            return call.call();
        } catch (final JMSException e) {
            throw Failures.unchecked(e);
        }
    }

    static void run(final Action action) {
        try {
            action.run();
        } catch (final JMSException e) {
            throw Failures.unchecked(e);
        }
    }
}
