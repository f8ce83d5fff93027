package dev.avocet.server.export;

import dev.avocet.core.security.user.Argon2Cost;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;

/**
 * Reads the records of a file that {@link ClientSetOutput} has written. Nothing of a part is told before the part was
 * checked; that the file is whole is known once {@link #next} has returned false. One owner.
 */
public final class ClientSetInput implements AutoCloseable {
    private static final int VERSION_AT = 8;

    private final InputStream in;
    private final byte[] keys;
    private final byte[] head;
    private final int maxRecordBytes;
    private byte[] part = new byte[0];
    private int at;
    private long number;
    private boolean last;
    private int kind;
    private byte[] record = new byte[0];

    /**
     * Begins to read; computes for a good part of a second.
     *
     * @param maxRecordBytes no record is larger
     * @throws ExportException when the file is none, or the password is another
     */
    public ClientSetInput(InputStream in, String password, int maxRecordBytes) throws IOException, ExportException {
        this.in = in;
        this.maxRecordBytes = maxRecordBytes;
        head = in.readNBytes(ClientSetFormat.HEAD_BYTES);
        int compared = Math.min(head.length, ClientSetFormat.MAGIC.length);
        if (!Arrays.equals(head, 0, compared, ClientSetFormat.MAGIC, 0, compared) || head.length == 0) {
            throw new ExportException("this is not a file with a client set that a broker has exported");
        }
        if (head.length < ClientSetFormat.HEAD_BYTES) {
            throw new ExportException("the file is not whole: it ends within its head");
        }
        ByteBuffer fields = ByteBuffer.wrap(head);
        int version = fields.getShort(VERSION_AT);
        if (version < ClientSetFormat.OLDEST_VERSION || version > ClientSetFormat.VERSION) {
            throw new ExportException("the file has format " + version + ", and this broker reads formats "
                    + ClientSetFormat.OLDEST_VERSION + " to " + ClientSetFormat.VERSION
                    + ": import it into the version of the broker that wrote it, or a newer one");
        }
        if (fields.getInt(ClientSetFormat.HEAD_BYTES - Integer.BYTES) != ClientSetFormat.checksum(head)) {
            throw new ExportException("the file is damaged: the checksum of its head is wrong");
        }
        fields.position(VERSION_AT + Short.BYTES);
        keys = keys(fields, password);
    }

    private byte[] keys(ByteBuffer fields, String password) throws ExportException {
        byte[] salt = new byte[ClientSetFormat.SALT_BYTES];
        byte[] mark = new byte[PasswordKeys.KEY_BYTES];
        try {
            Argon2Cost cost = new Argon2Cost(fields.getInt(), fields.get(), fields.get());
            fields.get(salt).get(mark);
            if (cost.memoryKib() > PasswordKeys.COST.memoryKib()) {
                throw new ExportException("the file was changed after it was made: no export wants so much memory");
            }
            byte[] derived = PasswordKeys.derive(password, salt, cost);
            if (!MessageDigest.isEqual(mark, PasswordKeys.mark(derived, head, ClientSetFormat.MARKED_BYTES))) {
                throw new ExportException("the password is wrong");
            }
            return derived;
        } catch (IllegalArgumentException e) {
            throw new ExportException("the file was changed after it was made: " + e.getMessage());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        }
    }

    /** Moves on to the next record; false when there is none, and the file was whole. */
    public boolean next() throws IOException, ExportException {
        if (at == part.length && !fill()) {
            return false;
        }
        byte[] recordHead = read(ClientSetFormat.RECORD_HEAD_BYTES);
        kind = recordHead[0];
        int length = ByteBuffer.wrap(recordHead).getInt(1);
        if (length < 0 || length > maxRecordBytes) {
            throw new ExportException("the file has a record of " + length + " bytes, and this broker takes "
                    + maxRecordBytes + " at most; store.journal.segmentBytes says how many");
        }
        record = read(length);
        return true;
    }

    /** The kind of the present record. */
    public int kind() {
        return kind;
    }

    /** The present record; the caller must not change it. */
    public byte[] record() {
        return record;
    }

    /** Forgets the keys; the stream stays open. */
    @Override
    public void close() {
        Arrays.fill(keys, (byte) 0);
    }

    private byte[] read(int count) throws IOException, ExportException {
        byte[] all = new byte[count];
        for (int to = 0; to < count; ) {
            if (at == part.length && !fill()) {
                throw new ExportException("the file is damaged: it ends within a record");
            }
            int some = Math.min(count - to, part.length - at);
            System.arraycopy(part, at, all, to, some);
            at += some;
            to += some;
        }
        return all;
    }

    /** The next part that is not empty; false when there is none. */
    private boolean fill() throws IOException, ExportException {
        do {
            if (last) {
                if (in.read() >= 0) {
                    throw new ExportException(
                            "the file was changed after it was made: something follows its last part");
                }
                return false;
            }
            byte[] field = in.readNBytes(Integer.BYTES);
            if (field.length < Integer.BYTES) {
                throw notWhole();
            }
            open(ByteBuffer.wrap(field).getInt());
        } while (part.length == 0);
        return true;
    }

    private void open(int field) throws IOException, ExportException {
        int length = field & ~ClientSetFormat.LAST;
        if (length > ClientSetFormat.PART_BYTES) {
            throw damaged();
        }
        byte[] sealed = in.readNBytes(length + ClientSetFormat.TAG_BYTES);
        if (sealed.length < length + ClientSetFormat.TAG_BYTES) {
            throw notWhole();
        }
        try {
            part = ClientSetFormat.part(Cipher.DECRYPT_MODE, keys, head, number, field, sealed, sealed.length);
        } catch (AEADBadTagException e) {
            throw damaged();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java runtime lacks what every Java 17 runtime has", e);
        }
        number++;
        at = 0;
        last = (field & ClientSetFormat.LAST) != 0;
    }

    private ExportException damaged() {
        return new ExportException(
                "the file is damaged, or was changed after it was made: part " + (number + 1) + " is not as it was");
    }

    private ExportException notWhole() {
        return new ExportException("the file is not whole: it ends after part " + number);
    }
}
