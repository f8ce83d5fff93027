package dev.avocet.mqtt.admission;

import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.AccessRights;
import dev.avocet.core.policy.ConnectDecision;
import dev.avocet.core.policy.Decision;
import dev.avocet.core.policy.PolicySet;
import dev.avocet.mqtt.packet.Connect;
import dev.avocet.mqtt.packet.ConnectWill;
import dev.avocet.mqtt.packet.ProtocolVersion;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a client may connect with what it asks for. Its will is authorised here, once: when it is published, the
 * client is gone and perhaps the broker has been restarted.
 */
public final class ConnectAuthorization {
    private final Connect packet;
    private final ConnectDecision connection;
    private final Decision willDecision;

    private ConnectAuthorization(Connect packet, ConnectDecision connection, Decision willDecision) {
        this.packet = packet;
        this.connection = connection;
        this.willDecision = willDecision;
    }

    public static ConnectAuthorization of(Connect packet, AccessRights rights) {
        ConnectWill will = packet.will();
        return new ConnectAuthorization(
                packet, rights.connect(), will == null ? Decision.OPEN : rights.publish(TopicName.of(will.topic())));
    }

    /** Why the client is refused, or null when it may connect. */
    public @Nullable String refusal() {
        ConnectWill will = packet.will();
        if (!connection.allowed()) {
            return "no connection policy lets this client in";
        }
        if (!connection.allowDurable() && wantsDurable()) {
            return packet.version() == ProtocolVersion.V5
                    ? "a session of this client may not outlive its connection; ask for session expiry interval 0"
                    : "a session of this client may not outlive its connection; connect with clean session 1";
        }
        if (will != null && !willDecision.allowed()) {
            return "no topic policy lets this client publish its will to '" + will.topic() + "'";
        }
        if (will != null && will.qos() != QualityOfService.AT_MOST_ONCE && !connection.allowPersistentMessages()) {
            return "this client may publish, and leave a will, at QoS 0 only";
        }
        return null;
    }

    /** Which policies the log names with a refusal. */
    public String policies(Peer peer) {
        return peer.policies(connection.allowed() ? PolicySet::topicPolicies : PolicySet::connectionPolicies);
    }

    /**
     * The expiry of the will, or of nothing, in seconds: the lower one of the client's and the policy's; -1 for no
     * limit.
     */
    public long willExpirySeconds() {
        ConnectWill will = packet.will();
        long wanted = will == null ? -1 : will.messageExpiryIntervalSeconds();
        return lower(wanted, willDecision.maxTimeToLiveSeconds());
    }

    private boolean wantsDurable() {
        return packet.version() == ProtocolVersion.V5
                ? packet.sessionExpiryIntervalSeconds() > 0
                : !packet.cleanStart();
    }

    /** The lower one of a publisher's expiry, below 0 for none, and a policy's. */
    public static long lower(long wantedSeconds, long maxSeconds) {
        boolean isLimited = maxSeconds <= TimeUnit.NANOSECONDS.toSeconds(Long.MAX_VALUE);
        return isLimited && (wantedSeconds < 0 || wantedSeconds > maxSeconds) ? maxSeconds : wantedSeconds;
    }
}
