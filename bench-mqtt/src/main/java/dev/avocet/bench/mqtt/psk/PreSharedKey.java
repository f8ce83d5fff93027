package dev.avocet.bench.mqtt.psk;

/** Who a client says it is, and the key that proves it. */
record PreSharedKey(byte[] identity, byte[] key) {
    /** Not what is in it. */
    @Override
    public String toString() {
        return "PreSharedKey";
    }
}
