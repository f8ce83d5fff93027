package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.RawClient.list;

/** The requests of docs/amqp.md. */
enum XaRequest {
    START("avocet:xa-start:list"),
    PREPARE("avocet:xa-prepare:list"),
    COMMIT("avocet:xa-commit:list"),
    ROLLBACK("avocet:xa-rollback:list"),
    FORGET("avocet:xa-forget:list"),
    RECOVER("avocet:xa-recover:list");

    /** Format 1, global identifier "g", qualifier "b". */
    static final byte[] BRANCH = Performatives.binary("\0\0\0\1\1g\1b");

    private final String descriptor;

    XaRequest(String descriptor) {
        this.descriptor = descriptor;
    }

    byte[] with(byte[]... fields) {
        return of(list(fields));
    }

    /** Anything in place of the list of fields. */
    byte[] of(byte[] value) {
        return Performatives.joined(new byte[1], Performatives.symbol(descriptor), value);
    }
}
