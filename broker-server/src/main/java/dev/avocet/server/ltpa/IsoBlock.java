package dev.avocet.server.ltpa;

import java.math.BigInteger;

/** What the first version of LTPA signs: a digest, filled up by ISO/IEC 9796-1. */
final class IsoBlock {
    /** The permutation of the standard, which makes a half byte's shadow. */
    private static final int[] SHADOWS = {0xE, 3, 5, 8, 9, 4, 2, 0xF, 0, 0xD, 0xB, 6, 7, 0xA, 0xC, 1};

    private IsoBlock() {}

    /** @param modulusBits of the key, a multiple of 16 */
    static BigInteger of(byte[] digest, int modulusBits) {
        byte[] block = new byte[modulusBits / Byte.SIZE];
        for (int pair = 0; pair < block.length / 2; pair++) { // from the right: a byte of the digest, its shadow
            int value = digest[digest.length - 1 - pair % digest.length] & 0xFF;
            int right = block.length - 1 - 2 * pair;
            block[right] = (byte) value;
            block[right - 1] = (byte) (SHADOWS[value >> 4] << 4 | SHADOWS[value & 0xF]);
        }
        block[block.length - 2 * digest.length] ^= 1; // where the digest begins to repeat
        int last = block[block.length - 1] & 0xF;
        block[block.length - 1] = (byte) (last << 4 | 6);
        int usedBits = modulusBits - 1;
        return new BigInteger(1, block).clearBit(usedBits).setBit(usedBits - 1);
    }
}
