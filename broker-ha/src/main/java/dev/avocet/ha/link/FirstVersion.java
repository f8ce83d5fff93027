package dev.avocet.ha.link;

import dev.avocet.ha.role.PairMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import org.jspecify.annotations.Nullable;

/** What is otherwise in version 1 of the link: there are no checkpoints, texts are short, and an answer says more. */
final class FirstVersion {
    /** In characters; a string has 256 bytes at most. */
    private static final int TEXT_MAX = 80;

    private FirstVersion() {}

    /** Writes type and body. */
    static void write(ByteBuf out, PairMessage message) {
        if (message instanceof PairMessage.Left left) {
            // A node of that version can get everything anew only from the beginning of the log: it keeps its store.
            MessageCodec.write(out, left);
            out.writeBoolean(false);
        } else if (message instanceof PairMessage.Refuse refuse) {
            MessageCodec.write(out, new PairMessage.Refuse(refuse.epoch(), refuse.storeId(), fitting(refuse.why())));
        } else if (message instanceof PairMessage.ConfigurationKept kept) {
            MessageCodec.write(
                    out, new PairMessage.ConfigurationKept(kept.epoch(), kept.number(), fitting(kept.problem())));
        } else if (message instanceof PairMessage.Start
                || message instanceof PairMessage.Part
                || message instanceof PairMessage.Whole) {
            throw new IllegalArgumentException("version 1 of the link carries no checkpoints");
        } else {
            MessageCodec.write(out, message);
        }
    }

    /**
     * Reads the body of a frame of that type; null for one that says nothing to this node.
     *
     * @throws CorruptedFrameException if it is not what that version writes
     */
    static @Nullable PairMessage read(int type, ByteBuf in) {
        if (type != MessageCodec.LEFT) {
            return MessageCodec.read(type, in);
        }
        if (in.readableBytes() != Long.BYTES + 1) {
            throw new CorruptedFrameException("a frame of type " + type + " with " + in.readableBytes() + " bytes");
        }
        PairMessage left = new PairMessage.Left(in.readLong());
        return in.readBoolean() ? left : null; // without: the leader has no whole log, and the store stays
    }

    private static String fitting(String text) {
        return text.length() > TEXT_MAX ? text.substring(0, TEXT_MAX) : text;
    }
}
