package dev.avocet.core.security.scram;

import java.nio.charset.StandardCharsets;

/** What the server does after a client's SCRAM message. */
public sealed interface ScramReply {
    /** Send this server-first-message and wait for the client's proof. */
    record Challenge(String message) implements ScramReply {
        /** The message as it goes over the wire. */
        public byte[] utf8() {
            return message.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The client is that user; send this server-final-message with the success. */
    record Accepted(String userName, String message) implements ScramReply {
        /** The message as it goes over the wire. */
        public byte[] utf8() {
            return message.getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Refuse the client. The reason is for the log; the client learns only that it is refused. */
    record Rejected(Reason reason) implements ScramReply {}

    /** Why a client was refused. */
    enum Reason {
        /** A message that is not what RFC 5802 section 7 describes, or out of turn. */
        MALFORMED,
        /** The client insists on channel binding or an extension, which this server does not offer. */
        UNSUPPORTED,
        /** The user is unknown or the proof is wrong. */
        NOT_AUTHORIZED
    }
}
