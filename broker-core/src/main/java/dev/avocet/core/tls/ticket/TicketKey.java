package dev.avocet.core.tls.ticket;

import java.security.SecureRandom;

/**
 * A key that seals session tickets. It is a secret: an attacker who has it can take part in the sessions that it
 * sealed, so it stays in memory, and no text of this object shows it.
 *
 * @param name 16 bytes that stand in the ticket, by which the key is found again
 * @param authentication 16 bytes
 * @param encryption 16 bytes
 */
public record TicketKey(byte[] name, byte[] authentication, byte[] encryption) {
    private static final int BYTES = 16;

    public TicketKey {
        if (name.length != BYTES || authentication.length != BYTES || encryption.length != BYTES) {
            throw new IllegalArgumentException("each part of a ticket key has " + BYTES + " bytes");
        }
    }

    static TicketKey random(SecureRandom random) {
        byte[] name = new byte[BYTES];
        byte[] authentication = new byte[BYTES];
        byte[] encryption = new byte[BYTES];
        random.nextBytes(name);
        random.nextBytes(authentication);
        random.nextBytes(encryption);
        return new TicketKey(name, authentication, encryption);
    }

    @Override
    public String toString() {
        return "TicketKey[secret]";
    }
}
