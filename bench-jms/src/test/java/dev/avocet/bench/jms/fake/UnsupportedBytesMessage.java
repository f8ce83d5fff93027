package dev.avocet.bench.jms.fake;

import jakarta.jms.BytesMessage;
import jakarta.jms.Destination;
import java.util.Enumeration;

/** A message without anything that the harness does not use. */
abstract class UnsupportedBytesMessage implements BytesMessage {
    @Override
    public void clearProperties() {
        throw new UnsupportedOperationException();
    }

    @Override
    public <T> T getBody(Class<T> arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getBodyLength() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean getBooleanProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte getByteProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public double getDoubleProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public float getFloatProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getIntProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte[] getJMSCorrelationIDAsBytes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getJMSDeliveryMode() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSDeliveryTime() {
        throw new UnsupportedOperationException();
    }

    @Override
    public Destination getJMSDestination() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSExpiration() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getJMSMessageID() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int getJMSPriority() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getJMSTimestamp() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getJMSType() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long getLongProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Object getObjectProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Enumeration<?> getPropertyNames() {
        throw new UnsupportedOperationException();
    }

    @Override
    public short getShortProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public String getStringProperty(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    @SuppressWarnings("rawtypes") // as the API has it
    public boolean isBodyAssignableTo(Class arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean propertyExists(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean readBoolean() {
        throw new UnsupportedOperationException();
    }

    @Override
    public byte readByte() {
        throw new UnsupportedOperationException();
    }

    @Override
    public char readChar() {
        throw new UnsupportedOperationException();
    }

    @Override
    public double readDouble() {
        throw new UnsupportedOperationException();
    }

    @Override
    public float readFloat() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readInt() {
        throw new UnsupportedOperationException();
    }

    @Override
    public long readLong() {
        throw new UnsupportedOperationException();
    }

    @Override
    public short readShort() {
        throw new UnsupportedOperationException();
    }

    @Override
    public String readUTF() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readUnsignedByte() {
        throw new UnsupportedOperationException();
    }

    @Override
    public int readUnsignedShort() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setBooleanProperty(String arg0, boolean arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setByteProperty(String arg0, byte arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setDoubleProperty(String arg0, double arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setFloatProperty(String arg0, float arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setIntProperty(String arg0, int arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSCorrelationIDAsBytes(byte[] arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDeliveryMode(int arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDeliveryTime(long arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSDestination(Destination arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSExpiration(long arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSMessageID(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSPriority(int arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSRedelivered(boolean arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSTimestamp(long arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setJMSType(String arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setLongProperty(String arg0, long arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setObjectProperty(String arg0, Object arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setShortProperty(String arg0, short arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setStringProperty(String arg0, String arg1) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeBoolean(boolean arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeByte(byte arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeChar(char arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeDouble(double arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeFloat(float arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeInt(int arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeLong(long arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeObject(Object arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeShort(short arg0) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void writeUTF(String arg0) {
        throw new UnsupportedOperationException();
    }
}
