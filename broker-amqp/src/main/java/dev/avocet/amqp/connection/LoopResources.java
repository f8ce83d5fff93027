package dev.avocet.amqp.connection;

import dev.avocet.amqp.codec.ReadArray;
import dev.avocet.amqp.message.EncodedForeign;

/** What the AMQP connections of one loop share, because only one of them is at work at a time. */
record LoopResources(ReadArray readArray, EncodedForeign encoded, OpenRun run) {
    LoopResources() {
        this(new ReadArray(), new EncodedForeign(), new OpenRun());
    }
}
