package dev.avocet.ha.link;

import dev.avocet.ha.role.EpochStarts;
import dev.avocet.ha.role.PairMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * What the nodes say to each other, as frames. The records of {@link PairMessage.Records} are an array of bytes; where
 * they are sent they may be a {@link ByteBuffer}.
 */
final class MessageCodec {
    static final int PING = 16;
    static final int CREDIT = 17;
    static final int RECORDS = 21;
    private static final int FOLLOW = 18;
    private static final int SYNC = 19;
    private static final int REFUSE = 20;
    private static final int CONFIRM = 22;
    private static final int HEARTBEAT = 23;
    private static final int ECHO = 24;
    private static final int FENCED = 25;
    private static final int HAND_OVER = 26;
    private static final int RESIGN = 27;
    private static final int CONFIGURATION = 28;
    private static final int CONFIGURATION_KEPT = 29;
    private static final int LEAVE = 30;
    static final int LEFT = 31;

    private static final int START = 32;
    private static final int PART = 33;
    private static final int WHOLE = 34;

    private static final int STARTS_MAX = 10_000;

    private MessageCodec() {}

    /** Writes type and body. */
    static void write(ByteBuf out, PairMessage message) {
        if (message instanceof PairMessage.Records records) {
            writeHead(out, records);
            if (records.records() instanceof ByteBuffer buffer) {
                out.writeBytes(buffer.duplicate());
            } else {
                out.writeBytes(bytesOf(records));
            }
        } else if (message instanceof PairMessage.Confirm confirm) {
            out.writeByte(CONFIRM).writeLong(confirm.epoch()).writeLong(confirm.position());
        } else if (message instanceof PairMessage.Heartbeat beat) {
            out.writeByte(HEARTBEAT)
                    .writeLong(beat.epoch())
                    .writeLong(beat.sentNs())
                    .writeLong(beat.committed());
        } else if (message instanceof PairMessage.Echo echo) {
            out.writeByte(ECHO).writeLong(echo.epoch()).writeLong(echo.sentNs());
        } else if (message instanceof PairMessage.Follow follow) {
            out.writeByte(FOLLOW).writeLong(follow.request());
            Frames.writeString(out, follow.storeId());
            out.writeLong(follow.end());
            writeStarts(out, follow.starts());
        } else if (message instanceof PairMessage.Sync sync) {
            out.writeByte(SYNC)
                    .writeLong(sync.request())
                    .writeLong(sync.epoch())
                    .writeLong(sync.cut());
            Frames.writeString(out, sync.storeId());
        } else if (message instanceof PairMessage.Refuse refuse) {
            out.writeByte(REFUSE).writeLong(refuse.epoch());
            Frames.writeString(out, refuse.storeId());
            Frames.writeString(out, Frames.fitting(refuse.why()));
        } else if (message instanceof PairMessage.Fenced fenced) {
            out.writeByte(FENCED).writeLong(fenced.epoch());
        } else if (message instanceof PairMessage.HandOver handOver) {
            out.writeByte(HAND_OVER).writeLong(handOver.epoch()).writeLong(handOver.end());
        } else if (message instanceof PairMessage.Resign resign) {
            out.writeByte(RESIGN).writeLong(resign.epoch());
        } else if (message instanceof PairMessage.Leave leave) {
            out.writeByte(LEAVE).writeLong(leave.epoch()).writeBoolean(leave.forGood());
        } else if (message instanceof PairMessage.Left left) {
            out.writeByte(LEFT).writeLong(left.epoch());
        } else if (message instanceof PairMessage.Configuration configuration) {
            out.writeByte(CONFIGURATION).writeLong(configuration.epoch()).writeLong(configuration.number());
            out.writeInt(configuration.archive().length).writeBytes(configuration.archive());
        } else if (message instanceof PairMessage.ConfigurationKept kept) {
            out.writeByte(CONFIGURATION_KEPT).writeLong(kept.epoch()).writeLong(kept.number());
            Frames.writeString(out, Frames.fitting(kept.problem()));
        } else {
            writeStore(out, message);
        }
    }

    /** Writes what comes before the records themselves. */
    static void writeHead(ByteBuf out, PairMessage.Records records) {
        out.writeByte(RECORDS)
                .writeLong(records.epoch())
                .writeLong(records.from())
                .writeLong(records.end());
        out.writeInt(lengthOf(records.records()));
    }

    private static void writeStore(ByteBuf out, PairMessage message) {
        if (message instanceof PairMessage.Start start) {
            out.writeByte(START).writeLong(start.request()).writeLong(start.epoch());
            Frames.writeString(out, start.storeId());
            out.writeLong(start.checkpoint());
            writeStarts(out, start.starts());
        } else if (message instanceof PairMessage.Part part) {
            byte[] bytes = bytes(part.content());
            out.writeByte(PART).writeLong(part.epoch()).writeInt(bytes.length).writeBytes(bytes);
        } else if (message instanceof PairMessage.Whole whole) {
            out.writeByte(WHOLE).writeLong(whole.epoch()).writeLong(whole.end());
        }
    }

    static byte[] bytesOf(PairMessage.Records records) {
        return bytes(records.records());
    }

    private static byte[] bytes(Object content) {
        if (content instanceof byte[] bytes) {
            return bytes;
        }
        throw new IllegalArgumentException("content is bytes here, not " + content.getClass());
    }

    /** So much credit a message needs; those that are small need none, -1. */
    static int creditFor(PairMessage message) {
        if (message instanceof PairMessage.Records records) {
            return lengthOf(records.records());
        }
        return message instanceof PairMessage.Part part ? lengthOf(part.content()) : -1;
    }

    private static int lengthOf(Object content) {
        return content instanceof ByteBuffer buffer ? buffer.remaining() : bytes(content).length;
    }

    /**
     * Reads the body of a frame of that type.
     *
     * @throws CorruptedFrameException if it is not what this version writes
     */
    static PairMessage read(int type, ByteBuf in) {
        try {
            PairMessage message = readBody(type, in);
            if (in.isReadable()) {
                throw new CorruptedFrameException(in.readableBytes() + " bytes too many in a frame of type " + type);
            }
            return message;
        } catch (IndexOutOfBoundsException e) {
            throw new CorruptedFrameException("a frame of type " + type + " ends early", e);
        }
    }

    private static PairMessage readBody(int type, ByteBuf in) {
        return switch (type) {
            case RECORDS -> readRecords(in);
            case CONFIRM -> new PairMessage.Confirm(in.readLong(), in.readLong());
            case HEARTBEAT -> new PairMessage.Heartbeat(in.readLong(), in.readLong(), in.readLong());
            case ECHO -> new PairMessage.Echo(in.readLong(), in.readLong());
            case FOLLOW -> readFollow(in);
            case SYNC -> new PairMessage.Sync(in.readLong(), in.readLong(), in.readLong(), Frames.readString(in));
            case REFUSE -> new PairMessage.Refuse(in.readLong(), Frames.readString(in), Frames.readString(in));
            case FENCED -> new PairMessage.Fenced(in.readLong());
            case HAND_OVER -> new PairMessage.HandOver(in.readLong(), in.readLong());
            case START ->
                new PairMessage.Start(
                        in.readLong(), in.readLong(), Frames.readString(in), in.readLong(), readStarts(in));
            case PART -> readPart(in);
            case WHOLE -> new PairMessage.Whole(in.readLong(), in.readLong());
            case CONFIGURATION -> readConfiguration(in);
            case CONFIGURATION_KEPT ->
                new PairMessage.ConfigurationKept(in.readLong(), in.readLong(), Frames.readString(in));
            case LEAVE -> new PairMessage.Leave(in.readLong(), in.readBoolean());
            case LEFT -> new PairMessage.Left(in.readLong());
            case RESIGN -> new PairMessage.Resign(in.readLong());
            default -> throw new CorruptedFrameException("a frame of type " + type);
        };
    }

    private static PairMessage readRecords(ByteBuf in) {
        long epoch = in.readLong();
        long from = in.readLong();
        long end = in.readLong();
        int length = in.readInt();
        if (length != in.readableBytes() || end < from) {
            throw new CorruptedFrameException("records from " + from + " to " + end + " in " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return new PairMessage.Records(epoch, from, end, bytes);
    }

    private static PairMessage readPart(ByteBuf in) {
        long epoch = in.readLong();
        int length = in.readInt();
        if (length != in.readableBytes()) {
            throw new CorruptedFrameException("a part of a checkpoint of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return new PairMessage.Part(epoch, bytes);
    }

    private static PairMessage readConfiguration(ByteBuf in) {
        long epoch = in.readLong();
        long number = in.readLong();
        int length = in.readInt();
        if (length != in.readableBytes()) {
            throw new CorruptedFrameException("a configuration of " + length + " bytes");
        }
        byte[] archive = new byte[length];
        in.readBytes(archive);
        return new PairMessage.Configuration(epoch, number, archive);
    }

    private static PairMessage readFollow(ByteBuf in) {
        long request = in.readLong();
        String storeId = Frames.readString(in);
        long end = in.readLong();
        return new PairMessage.Follow(request, storeId, readStarts(in), end);
    }

    private static EpochStarts readStarts(ByteBuf in) {
        int count = in.readInt();
        if (count < 0 || count > STARTS_MAX) {
            throw new CorruptedFrameException(count + " epochs");
        }
        List<EpochStarts.Start> starts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            starts.add(new EpochStarts.Start(in.readLong(), in.readLong()));
        }
        return new EpochStarts(starts);
    }

    private static void writeStarts(ByteBuf out, EpochStarts starts) {
        out.writeInt(starts.starts().size());
        for (EpochStarts.Start start : starts.starts()) {
            out.writeLong(start.epoch()).writeLong(start.position());
        }
    }
}
