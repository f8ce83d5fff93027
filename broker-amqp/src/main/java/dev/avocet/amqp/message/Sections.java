package dev.avocet.amqp.message;

import dev.avocet.amqp.codec.AmqpException;
import dev.avocet.amqp.codec.TypeScan;
import dev.avocet.amqp.frame.TypeCode;
import org.apache.qpid.protonj2.types.transport.AmqpError;

/**
 * Where the sections of a message lie: offsets of their values, -1 for what is not there. Sections before the body come
 * in their order and at most once each [AMQP 1.0 part 3, 3.2].
 *
 * @param headFrom behind header and delivery annotations, which are not the message's own
 * @param bodyFrom where the body begins; the end of the message when it has none
 */
record Sections(
        int header, int messageAnnotations, int properties, int applicationProperties, int headFrom, int bodyFrom) {
    private static final int[] LISTS = {TypeCode.LIST_0, TypeCode.LIST_8, TypeCode.LIST_32};
    private static final int[] MAPS = {TypeCode.MAP_8, TypeCode.MAP_32};

    /** Scans all of a message. */
    static Sections of(byte[] bytes) throws AmqpException {
        return of(bytes, 0, bytes.length);
    }

    /** The same for a message that is a part of an array; offsets count from its beginning. */
    static Sections of(byte[] bytes, int from, int to) throws AmqpException {
        return new Scan(bytes, from, to).run();
    }

    /** The type of the section that begins here. */
    static int typeAt(byte[] bytes, int at) {
        return Values.code(bytes, at + 1) == TypeCode.ULONG_SMALL
                ? Values.code(bytes, at + 2)
                : Values.code(bytes, at + 9);
    }

    private static final class Scan {
        private final byte[] bytes;
        private final TypeScan types;
        private final int from;
        private final int to;
        private int header = -1;
        private int messageAnnotations = -1;
        private int properties = -1;
        private int applicationProperties = -1;
        private int previous;

        Scan(byte[] bytes, int from, int to) {
            this.bytes = bytes;
            this.types = new TypeScan(bytes);
            this.from = from;
            this.to = to;
        }

        Sections run() throws AmqpException {
            int at = from;
            int headFrom = from;
            int bodyFrom = to;
            while (at < to) {
                int type = checkedType(at);
                int value = at + 1 + (Values.code(bytes, at + 1) == TypeCode.ULONG_SMALL ? 2 : 9);
                int end = types.endOfDescribed(value, to);
                if (type <= SectionType.APPLICATION_PROPERTIES) {
                    checkedHead(type, value);
                    keep(type, value - from);
                    headFrom = type <= SectionType.DELIVERY_ANNOTATIONS ? end : headFrom;
                } else if (bodyFrom == to) {
                    bodyFrom = at;
                }
                previous = type;
                at = end;
            }
            return new Sections(
                    header, messageAnnotations, properties, applicationProperties, headFrom - from, bodyFrom - from);
        }

        private void keep(int type, int value) {
            switch (type) {
                case SectionType.HEADER -> header = value;
                case SectionType.MESSAGE_ANNOTATIONS -> messageAnnotations = value;
                case SectionType.PROPERTIES -> properties = value;
                case SectionType.APPLICATION_PROPERTIES -> applicationProperties = value;
                default -> {
                    // delivery annotations are for this hop only
                }
            }
        }

        private int checkedType(int at) throws AmqpException {
            boolean small = to - at >= 3 && bytes[at] == 0 && Values.code(bytes, at + 1) == TypeCode.ULONG_SMALL;
            boolean large = to - at >= 10 && bytes[at] == 0 && Values.code(bytes, at + 1) == TypeCode.ULONG;
            int type = small || large ? typeAt(bytes, at) : 0;
            boolean plain = !large || Values.number(bytes, at + 1, 0) == type;
            boolean known = plain && type >= SectionType.HEADER && type <= SectionType.FOOTER;
            boolean repeats = type == previous && (type == SectionType.DATA || type == SectionType.SEQUENCE);
            if (!known || (type <= previous && !repeats)) {
                throw malformed("the sections of a message are not those of AMQP 1.0 in their order");
            }
            return type;
        }

        private void checkedHead(int type, int value) throws AmqpException {
            int[] allowed = type == SectionType.HEADER || type == SectionType.PROPERTIES ? LISTS : MAPS;
            int code = Values.code(bytes, value);
            for (int each : allowed) {
                if (each == code) {
                    return;
                }
            }
            throw malformed("a section of a message is neither the list nor the map that it should be");
        }

        private static AmqpException malformed(String why) {
            return new AmqpException(AmqpError.DECODE_ERROR, why);
        }
    }
}
