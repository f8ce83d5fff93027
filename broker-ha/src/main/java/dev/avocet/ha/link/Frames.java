package dev.avocet.ha.link;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Cuts what comes into frames: four bytes with the length of the rest, which begins with the frame's type. */
final class Frames extends ByteToMessageDecoder {
    static final int LENGTH_BYTES = 4;

    /** Until the partner has proved who it is. */
    static final int UNPROVEN_MAX = 1024;

    /** In bytes; a frame before the proof has room for one with what goes with it. */
    private static final int STRING_MAX = 1000;

    /** For people; in bytes. */
    private static final int TEXT_MAX = 800;

    private int max = UNPROVEN_MAX;

    /** The partner is who it says. */
    void allow(int bytes) {
        max = bytes;
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
        if (in.readableBytes() < LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1 || length > max) {
            throw new CorruptedFrameException(
                    "a frame has 1 to " + max + " bytes, not " + Integer.toUnsignedString(length));
        }
        if (in.readableBytes() >= LENGTH_BYTES + length) {
            in.skipBytes(LENGTH_BYTES);
            out.add(in.readRetainedSlice(length));
        }
    }

    /** Begins a frame; {@link #end} writes its length. */
    static ByteBuf begin(ByteBuf out, int type) {
        return out.writeInt(0).writeByte(type);
    }

    static ByteBuf end(ByteBuf frame) {
        return frame.setInt(frame.readerIndex(), frame.readableBytes() - LENGTH_BYTES);
    }

    static void writeString(ByteBuf out, String string) {
        byte[] bytes = string.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > STRING_MAX) {
            throw new IllegalArgumentException("a string has at most " + STRING_MAX + " bytes, not " + bytes.length);
        }
        out.writeShort(bytes.length).writeBytes(bytes);
    }

    /** As much of a text for people as {@link #writeString} takes with a few words beside it. */
    static String fitting(String text) {
        String fit = text;
        while (fit.getBytes(StandardCharsets.UTF_8).length > TEXT_MAX) {
            fit = fit.substring(0, Math.min(TEXT_MAX, fit.length() - 1));
        }
        return fit;
    }

    static String readString(ByteBuf in) {
        int length = in.readUnsignedShort();
        if (length > STRING_MAX || length > in.readableBytes()) {
            throw new CorruptedFrameException("a string of " + length + " bytes");
        }
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }
}
