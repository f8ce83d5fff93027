package dev.avocet.amqp.message;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The last message of another protocol that a loop has encoded: one with a thousand receivers is encoded once. It is
 * forgotten at the end of the batch. Owned by the loop.
 */
public final class EncodedForeign {
    private static final byte[] NOTHING = {};

    private @Nullable Message message;
    private byte[] bytes = NOTHING;
    private boolean forgets;

    /** The whole message, as one that was not delivered before; valid for ever, and not to be changed. */
    public byte[] of(Message wanted, IoLoop loop) {
        if (message == wanted) {
            return bytes;
        }
        byte[] encoded = OutgoingMessage.encode(
                wanted, 0, null, wanted.expires() ? loop.clock().nanoTime() : 0);
        if (!wanted.expires()) { // else it says how long it has to live
            message = wanted;
            bytes = encoded;
            if (!forgets) {
                forgets = true;
                loop.atBatchEnd(this::forget);
            }
        }
        return encoded;
    }

    private void forget() {
        forgets = false;
        message = null;
        bytes = NOTHING;
    }
}
