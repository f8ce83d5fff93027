package dev.avocet.amqp.faults;

import static dev.avocet.amqp.faults.Performatives.BEGIN;
import static dev.avocet.amqp.faults.Performatives.OPEN;
import static dev.avocet.amqp.faults.RawClient.described;
import static dev.avocet.amqp.faults.RawClient.list;

import java.io.IOException;

/** How far a client has come, and what it would send next. */
@SuppressWarnings("ImmutableEnumChecker") // they are copied
enum Stage {
    SASL_INIT(Performatives.SASL_INIT),
    SASL_RESPONSE(Performatives.SASL_RESPONSE),
    OPEN_FRAME(OPEN),
    BEGIN_FRAME(BEGIN, OPEN),
    ATTACH_TO_SEND(Performatives.attachToSend(0), OPEN, BEGIN),
    ATTACH_TO_RECEIVE(Performatives.attachToReceive(0), OPEN, BEGIN),
    ATTACH_TO_COORDINATOR(Performatives.attachToCoordinator(), OPEN, BEGIN),
    FLOW(Performatives.FLOW, OPEN, BEGIN, Performatives.attachToReceive(0)),
    TRANSFER(Performatives.transfer(0, 0, Performatives.message()), OPEN, BEGIN, Performatives.attachToSend(0)),
    DISPOSITION(Performatives.DISPOSITION, OPEN, BEGIN, Performatives.attachToReceive(0), Performatives.FLOW),
    DECLARE(Performatives.request(described(0x31, list())), OPEN, BEGIN, Performatives.attachToCoordinator()),
    DISCHARGE(
            Performatives.request(described(0x32, list(Performatives.binary("\0"), Performatives.FALSE))),
            OPEN,
            BEGIN,
            Performatives.attachToCoordinator()),
    XA_START(
            Performatives.request(XaRequest.START.with(XaRequest.BRANCH, Performatives.uint(10))),
            OPEN,
            BEGIN,
            Performatives.attachToCoordinator()),
    XA_RECOVER(
            Performatives.request(XaRequest.RECOVER.with(Performatives.NULL)),
            OPEN,
            BEGIN,
            Performatives.attachToCoordinator()),
    DETACH(Performatives.DETACH, OPEN, BEGIN, Performatives.attachToSend(0)),
    END(Performatives.END, OPEN, BEGIN),
    CLOSE(Performatives.CLOSE, OPEN);

    private final byte[] next;
    private final byte[][] before;

    Stage(byte[] next, byte[]... before) {
        this.next = next;
        this.before = before;
    }

    byte[] next() {
        return next.clone();
    }

    private boolean isSasl() {
        return this == SASL_INIT || this == SASL_RESPONSE;
    }

    /** What comes back for something else than {@link #next}, and a close behind it. */
    String answerTo(int port, byte[] instead) throws IOException {
        try (RawClient client = new RawClient(port)) {
            if (isSasl()) {
                return client.header(3)
                        .frame(1, instead)
                        .frame(Performatives.CLOSE)
                        .untilClosed();
            }
            client.header(0);
            for (byte[] each : before) {
                client.frame(each);
            }
            return client.frame(instead).frame(Performatives.CLOSE).untilClosed();
        }
    }
}
