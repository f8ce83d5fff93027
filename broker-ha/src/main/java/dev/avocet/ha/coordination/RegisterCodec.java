package dev.avocet.ha.coordination;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.zip.CRC32C;

/**
 * A {@link Register} as bytes: {@code AVRG}, the version of this format, the length of the body, the body, CRC-32C of
 * all that. The same in a file, in a group and in ZooKeeper.
 */
public final class RegisterCodec {
    private static final int MAGIC = 0x41565247;
    private static final int VERSION = 1;
    private static final int CHECKSUM_BYTES = 4;
    private static final int NODES_MAX = 16;

    /** No register is longer. */
    public static final int BYTES_MAX = 4096;

    private RegisterCodec() {}

    /** The bytes of a register. */
    public static byte[] encode(Register register) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeByte(VERSION);
            out.writeLong(register.revision());
            out.writeLong(register.epoch());
            out.writeUTF(register.leader());
            out.writeUTF(register.storeId());
            out.writeByte(register.inSync().size());
            for (String node : register.inSync()) {
                out.writeUTF(node);
            }
            out.writeInt(checksum(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (bytes.size() > BYTES_MAX) {
            throw new IllegalArgumentException("A register has at most " + BYTES_MAX + " bytes, not " + bytes.size());
        }
        return bytes.toByteArray();
    }

    /**
     * The register in those bytes.
     *
     * @throws CoordinationException if they are damaged, or of a version that this broker does not know
     */
    public static Register decode(byte[] bytes) throws CoordinationException {
        if (bytes.length > BYTES_MAX || bytes.length <= CHECKSUM_BYTES) {
            throw damaged("it has " + bytes.length + " bytes");
        }
        byte[] content = Arrays.copyOf(bytes, bytes.length - CHECKSUM_BYTES);
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (in.readInt() != MAGIC) {
                throw damaged("it does not begin as a register does");
            }
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw new CoordinationException("The register has version " + version + ", and this broker knows "
                        + VERSION + " only. Use the version of Avocet that has written it, or a newer one.");
            }
            Register register = readBody(in);
            if (in.available() != CHECKSUM_BYTES || in.readInt() != checksum(content)) {
                throw damaged("its checksum is wrong");
            }
            return register;
        } catch (IOException | IllegalArgumentException e) {
            throw new CoordinationException("The register is damaged: " + e.getMessage(), e);
        }
    }

    private static Register readBody(DataInputStream in) throws IOException, CoordinationException {
        long revision = in.readLong();
        long epoch = in.readLong();
        String leader = in.readUTF();
        String storeId = in.readUTF();
        int count = in.readUnsignedByte();
        if (count > NODES_MAX) {
            throw damaged("it names " + count + " nodes");
        }
        SortedSet<String> inSync = new TreeSet<>();
        for (int i = 0; i < count; i++) {
            inSync.add(in.readUTF());
        }
        return new Register(revision, epoch, leader, inSync, storeId);
    }

    private static CoordinationException damaged(String how) {
        return new CoordinationException("The register is damaged: " + how
                + ". No node may lead before it is repaired; see where the coordinator keeps it.");
    }

    private static int checksum(byte[] bytes) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length);
        return (int) checksum.getValue();
    }
}
