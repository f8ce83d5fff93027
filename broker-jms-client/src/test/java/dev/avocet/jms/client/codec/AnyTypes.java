package dev.avocet.jms.client.codec;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Random;

/** Makes encoded values of any type, some in others. */
final class AnyTypes {
    private static final int[] SCALARS = {
        0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x60, 0x61, 0x70, 0x71, 0x72,
        0x73, 0x74, 0x80, 0x81, 0x82, 0x83, 0x84, 0x94, 0x98, 0xa0, 0xa1, 0xa3, 0xb0, 0xb1, 0xb3
    };
    private static final int[] COMPOUNDS = {0xc0, 0xc1, 0xd0, 0xd1, 0xe0, 0xf0};
    private static final int DEEPEST = 4;

    private final Random random;

    AnyTypes(final Random random) {
        this.random = random;
    }

    byte[] next() {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        value(out, 0);
        return out.toByteArray();
    }

    private void value(final ByteArrayOutputStream out, final int depth) {
        final int code = code(depth);
        out.write(code);
        body(out, code, depth);
    }

    private int code(final int depth) {
        return depth < DEEPEST && random.nextInt(3) > 0
                ? COMPOUNDS[random.nextInt(COMPOUNDS.length)]
                : SCALARS[random.nextInt(SCALARS.length)];
    }

    private void body(final ByteArrayOutputStream out, final int code, final int depth) {
        switch (code >>> 4) {
            case 0x4 -> {}
            case 0x5 -> bytes(out, 1);
            case 0x6 -> bytes(out, 2);
            case 0x7 -> bytes(out, 4);
            case 0x8 -> bytes(out, 8);
            case 0x9 -> bytes(out, 16);
            case 0xa, 0xb -> {
                final int length = random.nextInt(12);
                number(out, code, length);
                for (int i = 0; i < length; i++) {
                    out.write('a' + random.nextInt(2));
                }
            }
            case 0xc, 0xd -> elements(out, code, depth);
            default -> array(out, code, depth);
        }
    }

    private void elements(final ByteArrayOutputStream out, final int code, final int depth) {
        final int count = 2 * random.nextInt(3);
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            value(content, depth + 1);
        }
        sized(out, code, count, content);
    }

    private void array(final ByteArrayOutputStream out, final int code, final int depth) {
        final int count = random.nextInt(4);
        final int element = code(depth + 1);
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.write(element);
        for (int i = 0; i < count; i++) {
            body(content, element, depth + 1);
        }
        sized(out, code, count, content);
    }

    private static void sized(
            final ByteArrayOutputStream out, final int code, final int count, final ByteArrayOutputStream content) {
        final int width = (code & 0x10) == 0 ? 1 : 4;
        number(out, code, content.size() + width);
        number(out, code, count);
        out.writeBytes(content.toByteArray());
    }

    private static void number(final ByteArrayOutputStream out, final int code, final int number) {
        if ((code & 0x10) == 0) {
            out.write(number);
        } else {
            out.writeBytes(ByteBuffer.allocate(4).putInt(number).array());
        }
    }

    private void bytes(final ByteArrayOutputStream out, final int count) {
        for (int i = 0; i < count; i++) {
            out.write(random.nextInt(256));
        }
    }
}
