package dev.avocet.mqtt.session;

import dev.avocet.core.journal.JournalException;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.ProtocolState;
import java.util.BitSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What MQTT keeps of a session beside its subscriptions [MQTT-4.1.0-1]: deliveries that the client has not completed, and the packet
 * identifiers of QoS 2 publishes that it has not released. Owned by the session's home loop.
 */
public final class MqttSession implements ProtocolState {
    private final OutboundWindow outbound = new OutboundWindow();
    private @Nullable BitSet unreleased;

    public OutboundWindow outbound() {
        return outbound;
    }

    /** Notes a QoS 2 publish; false when its identifier is noted already, so that it is the same one again [MQTT-4.3.3-10]. */
    public boolean receive(int packetId) {
        BitSet ids = unreleased;
        if (ids == null) {
            ids = unreleased = new BitSet();
        }
        if (ids.get(packetId)) {
            return false;
        }
        ids.set(packetId);
        return true;
    }

    public boolean hasReceived(int packetId) {
        return unreleased != null && unreleased.get(packetId);
    }

    /** The client has released a QoS 2 publish; false when there is none with this identifier. */
    public boolean release(int packetId) {
        if (!hasReceived(packetId)) {
            return false;
        }
        unreleased.clear(packetId);
        return true;
    }

    @Override
    public void replay(byte[] bytes, int from, int to) throws JournalException {
        throw new JournalException("not stored yet");
    }

    @Override
    public void snapshot(Consumer<byte[]> entries) {}

    @Override
    public void onRestored(ClientSession session) {}

    @Override
    public void onSessionEnd() {
        for (InFlight delivery : outbound.inOrder()) {
            outbound.complete(delivery);
        }
    }
}
