package dev.avocet.server.export;

import dev.avocet.core.store.transfer.TransferRecords;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;

/**
 * Writes records into a file that only a password opens, part by part, as {@link ClientSetFormat} has it. The file is
 * whole once {@link #finish} has returned. One owner.
 */
public final class ClientSetOutput implements TransferRecords, AutoCloseable {
    private final OutputStream out;
    private final byte[] keys;
    private final byte[] head;
    private final byte[] part = new byte[ClientSetFormat.PART_BYTES];
    private int length;
    private long number;

    /** Begins a file; computes for a good part of a second. */
    public ClientSetOutput(OutputStream out, String password, SecureRandom random) throws IOException {
        byte[] salt = new byte[ClientSetFormat.SALT_BYTES];
        random.nextBytes(salt);
        this.out = out;
        this.keys = PasswordKeys.derive(password, salt, PasswordKeys.COST);
        try {
            this.head = ClientSetFormat.head(salt, keys);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        }
        out.write(head);
    }

    @Override
    public void write(int kind, byte[] bytes, int count) throws IOException {
        byte[] record = ByteBuffer.allocate(ClientSetFormat.RECORD_HEAD_BYTES)
                .put((byte) kind)
                .putInt(count)
                .array();
        add(record, record.length);
        add(bytes, count);
    }

    /** Writes what is left, as the last part. */
    public void finish() throws IOException {
        seal(ClientSetFormat.LAST);
    }

    /** Forgets the keys; the stream stays open. */
    @Override
    public void close() {
        Arrays.fill(keys, (byte) 0);
    }

    private void add(byte[] bytes, int count) throws IOException {
        for (int from = 0; from < count; ) {
            if (length == part.length) {
                seal(0);
            }
            int some = Math.min(count - from, part.length - length);
            System.arraycopy(bytes, from, part, length, some);
            length += some;
            from += some;
        }
    }

    private void seal(int last) throws IOException {
        int field = length | last;
        try {
            byte[] sealed = ClientSetFormat.part(Cipher.ENCRYPT_MODE, keys, head, number++, field, part, length);
            out.write(ByteBuffer.allocate(Integer.BYTES).putInt(field).array());
            out.write(sealed);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        }
        length = 0;
    }
}
