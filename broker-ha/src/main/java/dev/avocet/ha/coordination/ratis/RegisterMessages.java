package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.RegisterCodec;
import java.nio.ByteBuffer;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * What goes through the group: of a compare-and-set both values, of an answer whether it was written and what is
 * there.
 */
final class RegisterMessages {
    private static final byte REFUSED = 0;
    private static final byte WRITTEN = 1;

    private RegisterMessages() {}

    static Message change(Register expected, Register next) {
        byte[] first = RegisterCodec.encode(expected);
        byte[] second = RegisterCodec.encode(next);
        byte[] bytes = ByteBuffer.allocate(Integer.BYTES + first.length + second.length)
                .putInt(first.length)
                .put(first)
                .put(second)
                .array();
        return Message.valueOf(ByteString.copyFrom(bytes));
    }

    static Change change(ByteString bytes) throws CoordinationException {
        ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
        if (buffer.remaining() < Integer.BYTES) {
            throw new CoordinationException("A change of the register is too short");
        }
        int length = buffer.getInt();
        if (length < 0 || length > buffer.remaining()) {
            throw new CoordinationException("A change of the register is damaged");
        }
        byte[] first = new byte[length];
        buffer.get(first);
        byte[] second = new byte[buffer.remaining()];
        buffer.get(second);
        return new Change(RegisterCodec.decode(first), RegisterCodec.decode(second));
    }

    static Message answer(CasResult result) {
        byte[] register = RegisterCodec.encode(result.current());
        byte kind = result instanceof CasResult.Written ? WRITTEN : REFUSED;
        return Message.valueOf(ByteString.copyFrom(
                ByteBuffer.allocate(1 + register.length).put(kind).put(register).array()));
    }

    static CasResult answer(ByteString bytes) throws CoordinationException {
        if (bytes.isEmpty()) {
            throw new CoordinationException("The group has answered nothing");
        }
        Register current = RegisterCodec.decode(bytes.substring(1).toByteArray());
        return bytes.byteAt(0) == WRITTEN ? new CasResult.Written(current) : new CasResult.Refused(current);
    }

    record Change(Register expected, Register next) {}
}
