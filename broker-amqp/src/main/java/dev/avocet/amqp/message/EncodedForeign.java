package dev.avocet.amqp.message;

import dev.avocet.amqp.transfer.Payload;
import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * The last message of another protocol that a loop has encoded: one with a thousand receivers is encoded once. It is
 * forgotten at the end of the batch. Owned by the loop.
 */
public final class EncodedForeign {
    private final ForeignHeads heads = new ForeignHeads();
    private @Nullable Message message;
    private @Nullable Payload payload;
    private boolean forgets;

    /** The whole message, as one that was not delivered before; valid for ever. */
    public Payload of(Message wanted, IoLoop loop) {
        Payload known = payload;
        if (known != null && message == wanted) {
            return known;
        }
        if (wanted.expires()) { // it says how long it has to live
            return new Payload(
                    OutgoingMessage.encode(wanted, 0, null, loop.clock().nanoTime()));
        }
        Payload encoded = encode(wanted);
        message = wanted;
        payload = encoded;
        if (!forgets) {
            forgets = true;
            loop.atBatchEnd(this::forget);
        }
        return encoded;
    }

    private Payload encode(Message wanted) {
        if (!wanted.properties().isEmpty()) {
            return new Payload(OutgoingMessage.encode(wanted, 0, null, 0));
        }
        byte[] content = wanted.payload();
        ForeignBody body = ForeignBody.of(content, false, null);
        return new Payload(body.beginBehind(heads.of(wanted, body)), content);
    }

    private void forget() {
        forgets = false;
        message = null;
        payload = null;
    }
}
