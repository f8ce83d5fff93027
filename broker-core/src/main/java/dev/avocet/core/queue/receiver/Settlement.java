package dev.avocet.core.queue.receiver;

/**
 * What became of a delivery, as its consumer says. The words are those of AMQP's outcomes, which other protocols map
 * to.
 */
public enum Settlement {
    /** Processed: the queue forgets it. */
    ACCEPTED,
    /** Not looked at: it is delivered again, to any receiver, and the delivery does not count. */
    RELEASED,
    /**
     * Processing failed: it is delivered again, to any receiver, after the queue's redelivery delay, and the delivery
     * counts.
     */
    FAILED,
    /** Not looked at: it is delivered again, but not to this consumer. */
    ELSEWHERE,
    /** Processing failed: it is delivered again, but not to this consumer, and the delivery counts. */
    FAILED_ELSEWHERE,
    /** Of no use to any receiver: it goes to the dead letter queue, or away where there is none. */
    REJECTED;

    /** Whether it counts towards the most deliveries that a queue allows. */
    public boolean countsAsFailed() {
        return this == FAILED || this == FAILED_ELSEWHERE;
    }

    /** Whether this consumer does not want to see it again. */
    public boolean isElsewhere() {
        return this == ELSEWHERE || this == FAILED_ELSEWHERE;
    }
}
