/**
 * Protection of messages from end to end: a sender seals, a receiver opens, and the broker between them passes on what
 * it cannot read or change unnoticed.
 *
 * <p>Nothing here knows a protocol or a broker. Signatures and keys are CMS (RFC 5652, RFC 5083) by BouncyCastle.
 * Sealing and opening take milliseconds where a key pair is used, so neither belongs on an event loop. Start reading at
 * {@link dev.avocet.protection.Sealer} and {@link dev.avocet.protection.Opener}.
 */
@NullMarked
package dev.avocet.protection;

import org.jspecify.annotations.NullMarked;
