package dev.avocet.bench.jms.fake;

/** A message that may have come before, and counts how often it is asked about that. */
public final class Redelivery extends FakeBytesMessage {
    private final boolean isRedelivered;
    private int questions;

    private Redelivery(boolean isRedelivered) {
        this.isRedelivered = isRedelivered;
    }

    public static Redelivery of(boolean isRedelivered, byte[] body) {
        Redelivery message = new Redelivery(isRedelivered);
        message.writeBytes(body);
        return message;
    }

    public int questions() {
        return questions;
    }

    @Override
    public boolean getJMSRedelivered() {
        questions++;
        return isRedelivered;
    }
}
