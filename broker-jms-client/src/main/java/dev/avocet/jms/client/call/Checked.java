package dev.avocet.jms.client.call;

import jakarta.jms.JMSException;
import org.jspecify.annotations.Nullable;

/** Calls the classic interface for the simplified one, whose exceptions are unchecked. */
public final class Checked {
    private Checked() {}

    @FunctionalInterface
    public interface Call<T extends @Nullable Object> {
        T call() throws JMSException;
    }

    @FunctionalInterface
    public interface Action {
        void run() throws JMSException;
    }

    public static <T extends @Nullable Object> T get(final Call<T> call) {
        try {
            return call.call();
        } catch (final JMSException e) {
            throw Failures.unchecked(e);
        }
    }

    public static void run(final Action action) {
        try {
            action.run();
        } catch (final JMSException e) {
            throw Failures.unchecked(e);
        }
    }
}
