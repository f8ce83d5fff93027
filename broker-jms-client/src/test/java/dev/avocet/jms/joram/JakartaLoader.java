package dev.avocet.jms.joram;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Loads the suite, which is of the time of javax.jms, as if it were written for jakarta.jms: renames it in the constant
 * pools.
 */
final class JakartaLoader extends ClassLoader {
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;

    JakartaLoader(final ClassLoader parent) {
        super(parent);
    }

    @Override
    protected Class<?> loadClass(final String name, final boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("org.objectweb.jtests.") && !name.equals(JoramAdmin.class.getName())) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) { // As the superclass does.
            final Class<?> loaded = findLoadedClass(name);
            return loaded == null ? define(name) : loaded;
        }
    }

    private Class<?> define(final String name) throws ClassNotFoundException {
        try (InputStream input = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (input == null) {
                throw new ClassNotFoundException(name);
            }
            final byte[] renamed = rename(input.readAllBytes());
            return defineClass(name, renamed, 0, renamed.length);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] rename(final byte[] bytes) throws IOException {
        final DataInputStream from = new DataInputStream(new ByteArrayInputStream(bytes));
        final ByteArrayOutputStream renamed = new ByteArrayOutputStream();
        final DataOutputStream to = new DataOutputStream(renamed);
        to.writeLong(from.readLong());
        final int count = from.readUnsignedShort();
        to.writeShort(count);
        for (int i = 1; i < count; i++) {
            final int tag = from.readUnsignedByte();
            to.writeByte(tag);
            if (tag == UTF8) {
                to.writeUTF(from.readUTF().replace("javax/jms/", "jakarta/jms/").replace("javax.jms.", "jakarta.jms."));
            } else {
                to.write(from.readNBytes(length(tag)));
                i += tag == LONG || tag == DOUBLE ? 1 : 0;
            }
        }
        to.write(from.readAllBytes());
        return renamed.toByteArray();
    }

    /** The Java Virtual Machine Specification, section 4.4. */
    private static int length(final int tag) {
        return switch (tag) {
            case LONG, DOUBLE -> 8;
            case 3, 4, 9, 10, 11, 12, 17, 18 -> 4;
            case 15 -> 3;
            case 7, 8, 16, 19, 20 -> 2;
            default -> throw new IllegalArgumentException("constant of kind " + tag);
        };
    }
}
