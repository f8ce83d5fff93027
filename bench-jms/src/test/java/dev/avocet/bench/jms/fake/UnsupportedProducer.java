package dev.avocet.bench.jms.fake;

import jakarta.jms.Destination;
import jakarta.jms.MessageProducer;

/** A producer without anything that the harness does not use. */
abstract class UnsupportedProducer implements MessageProducer {
    @Override
    public long getDeliveryDelay() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getDeliveryMode() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Destination getDestination() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getDisableMessageID() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getDisableMessageTimestamp() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getPriority() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getTimeToLive() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDeliveryDelay(long arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDisableMessageID(boolean arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDisableMessageTimestamp(boolean arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setPriority(int arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTimeToLive(long arg0) {
        throw new UnsupportedOperationException();
    }
}
