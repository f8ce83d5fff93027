package dev.avocet.protection;

/**
 * A message whose protection holds.
 *
 * @param sender the subject of the sender's certificate. Proved by a signature, but for
 *     {@link ProtectionLevel#CONFIDENTIALITY}, where it is what the sender claims
 * @param destination {@code queue:NAME} or {@code topic:NAME}, for which it was made
 * @param sequence its number in the run of its sender, from 1
 * @param timeMs when it was sealed, by the sender's clock, in milliseconds since 1970
 * @param kind what the sender said that the content is
 * @param content what was sealed; the caller's
 */
public record OpenedMessage(
        ProtectionLevel level,
        String sender,
        String destination,
        long sequence,
        long timeMs,
        String kind,
        byte[] content) {}
