package dev.avocet.core.tls.status;

import io.netty.channel.Channel;

/** A connection whose client has shown a certificate; equal to itself alone. Thread-safe. */
public interface LiveConnection {
    /** Ends it, as the certificate does not count any more. Does not block. */
    void end();

    /** Has that run, by any thread, when it has ended; at once when it has ended already. */
    void onEnd(Runnable listener);

    /** One of an endpoint. */
    static LiveConnection of(Channel channel) {
        return new OfChannel(channel);
    }

    /** Equal when the channel is. */
    record OfChannel(Channel channel) implements LiveConnection {
        @Override
        public void end() {
            channel.close();
        }

        @Override
        public void onEnd(Runnable listener) {
            channel.closeFuture().addListener(closed -> listener.run());
        }
    }
}
