package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;
import static dev.avocet.amqp.faults.RawClient.string;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What a well-behaved client sends: performatives, and the values in them. */
final class Performatives {
    static final byte[] NULL = {0x40};
    static final byte[] TRUE = {0x41};
    static final byte[] FALSE = {0x42};
    static final byte[] ZERO = {0x43};

    static final byte[] OPEN =
            described(0x10, list(string("raw"), string("host"), uint(65_536), ushort(100), uint(60_000)));
    static final byte[] BEGIN = described(0x11, list(NULL, ZERO, uint(1_000), uint(1_000), uint(1_000)));
    static final byte[] FLOW =
            described(0x13, list(ZERO, uint(1_000), ZERO, uint(1_000), ZERO, ZERO, uint(10), ZERO, FALSE, FALSE));
    static final byte[] DISPOSITION = described(0x15, list(TRUE, ZERO, uint(3), TRUE, described(0x24, list())));
    static final byte[] DETACH = described(0x16, list(ZERO, TRUE));
    static final byte[] END = described(0x17, list());
    static final byte[] CLOSE = described(0x18, list(described(0x1D, list(symbol("amqp:ok"), string("why")))));
    static final byte[] SASL_INIT = described(0x41, list(symbol("PLAIN"), binary("\0me\0secret"), string("host")));
    static final byte[] SASL_RESPONSE = described(0x43, list(binary("response")));

    private static final byte[] QUEUE_CAPABILITY = symbol("queue");

    private Performatives() {}

    /** The client sends to a queue. */
    static byte[] attachToSend(int handle) {
        return attach(handle, FALSE, described(0x28, list()), described(0x29, queue("hostile")), ZERO);
    }

    /** The client sends to a queue, and means what it says of answers that are not urgent. */
    static byte[] attachToSendUnhurried(int handle) {
        return attach(
                handle,
                FALSE,
                described(0x28, list()),
                described(0x29, queue("hostile")),
                ZERO,
                NULL,
                NULL,
                NULL,
                map(symbol("avocet:batchable"), TRUE));
    }

    /** The client publishes to a topic. */
    static byte[] attachToPublish(int handle, String topic) {
        byte[] target = list(string(topic), ZERO, symbol("session-end"), ZERO, FALSE, NULL, symbol("topic"));
        return attach(handle, FALSE, described(0x28, list()), described(0x29, target), ZERO);
    }

    /** The client receives from a queue. */
    static byte[] attachToReceive(int handle) {
        return attach(handle, TRUE, described(0x28, queue("hostile")), described(0x29, list()), NULL);
    }

    static byte[] attachToCoordinator() {
        return attach(
                0, FALSE, described(0x28, list()), described(0x30, list(symbol("amqp:local-transactions"))), ZERO);
    }

    private static byte[] attach(
            int handle, byte[] role, byte[] source, byte[] target, byte[] initialDeliveryCount, byte[]... rest) {
        List<byte[]> fields = new ArrayList<>(List.of(
                string("link " + handle),
                uint(handle),
                role,
                new byte[] {0x50, 2},
                new byte[] {0x50, 0},
                source,
                target,
                NULL,
                FALSE,
                initialDeliveryCount));
        fields.addAll(List.of(rest));
        return described(0x12, list(fields.toArray(byte[][]::new)));
    }

    private static byte[] queue(String name) {
        return list(string(name), ZERO, symbol("session-end"), ZERO, FALSE, NULL, QUEUE_CAPABILITY);
    }

    /** One whole message. */
    static byte[] transfer(int handle, int deliveryId, byte[] message) {
        return joined(
                described(0x14, list(uint(handle), uint(deliveryId), binary("tag" + deliveryId), ZERO, FALSE, FALSE)),
                message);
    }

    /** One whole message whose sender is in no hurry to hear what becomes of it. */
    static byte[] unhurriedTransfer(int handle, int deliveryId, byte[] message) {
        return joined(
                described(
                        0x14,
                        list(
                                uint(handle),
                                uint(deliveryId),
                                binary("tag" + deliveryId),
                                ZERO,
                                FALSE,
                                FALSE,
                                NULL,
                                NULL,
                                FALSE,
                                FALSE,
                                TRUE)),
                message);
    }

    /** A message with all sections that come before the body, and a text. */
    static byte[] message() {
        return joined(
                described(0x70, list(TRUE, new byte[] {0x50, 4}, uint(60_000), TRUE, ZERO)),
                described(0x71, map(symbol("x-opt-hop"), string("1"))),
                described(0x72, map(symbol("x-opt-jms-msg-type"), new byte[] {0x51, 5})),
                described(0x73, list(string("ID:1"), binary("user"), string("hostile"), string("subject"))),
                described(0x74, map(string("n"), uint(7))),
                described(0x77, string("body")));
    }

    /** A request to the coordinator. */
    static byte[] request(byte[] value) {
        return transfer(0, 0, described(0x77, value));
    }

    static byte[] uint(int value) {
        return ByteBuffer.allocate(5).put((byte) 0x70).putInt(value).array();
    }

    static byte[] ushort(int value) {
        return ByteBuffer.allocate(3).put((byte) 0x60).putShort((short) value).array();
    }

    static byte[] symbol(String ascii) {
        return ByteBuffer.allocate(2 + ascii.length())
                .put((byte) 0xA3)
                .put((byte) ascii.length())
                .put(ascii.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    static byte[] binary(String latin) {
        return ByteBuffer.allocate(2 + latin.length())
                .put((byte) 0xA0)
                .put((byte) latin.length())
                .put(latin.getBytes(StandardCharsets.ISO_8859_1))
                .array();
    }

    /** @param entries keys and values in turn, which may be odd in number */
    static byte[] map(byte[]... entries) {
        byte[] map = list(entries);
        map[0] = (byte) 0xD1;
        return map;
    }

    static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
