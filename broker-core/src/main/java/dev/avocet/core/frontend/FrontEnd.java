package dev.avocet.core.frontend;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.login.ClientOrigin;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** A protocol that the broker speaks. Stateless; called on the loop of the connection. */
public interface FrontEnd {
    /** The protocol's name in configuration and logs, for example {@code mqtt}. */
    String protocol();

    /**
     * Whether a connection that begins with these bytes speaks this protocol. The buffer stays the caller's, unread.
     */
    Recognition recognise(ByteBuf firstBytes);

    /**
     * Takes a connection over: adds its handlers to the channel's pipeline. The bytes looked at so far come through the
     * pipeline next.
     */
    void adopt(Channel channel, IoLoop loop, Admission admission);

    /** The answer to {@link #recognise}. */
    enum Recognition {
        YES,
        NO,
        /** Too few bytes to tell. */
        UNDECIDED
    }

    /** What an endpoint grants a connection, and hears of it. */
    interface Admission {
        /** The largest packet that the endpoint takes, in bytes. */
        int maxPacketBytes();

        /** Where the connection comes from, and what its certificate proves. */
        ClientOrigin origin();

        /** The policies of the endpoint. */
        EndpointPolicies policies();

        /** How what the connection has to send goes out. */
        default Sending sending() {
            return Sending.DEFAULT;
        }

        /** What the endpoint puts up with. */
        default Leniency leniency() {
            return Leniency.NONE;
        }

        /** What the connection's loop counts for the endpoint. */
        LoopCounters counters();

        /**
         * Runs a task that writes to the connection what tells nothing that another node of the pair could contradict,
         * such as a refusal: it goes out although this node may not send at the moment, unless something that the
         * client is to get before is held back.
         */
        default void sendFreely(Runnable write) {
            write.run();
        }

        /** Whether what is written now goes out, or waits until this node may send again. */
        default boolean maySend() {
            return true;
        }

        /** The client has said who it is and was accepted: the deadline for that is called off. */
        void accepted();

        /**
         * How long the client had for that, in milliseconds, when the connection is closed because the time is over;
         * otherwise 0.
         */
        default int expiredAfterMs() {
            return 0;
        }
    }
}
