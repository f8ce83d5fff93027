package dev.avocet.core.broker;

import dev.avocet.core.message.DeadLetter;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.policy.ProtectionRule;
import dev.avocet.core.policy.ProtectionRules;
import org.jspecify.annotations.Nullable;

/**
 * Whether one publisher's messages are sealed as their destinations want it. Where there is no such policy, a message
 * costs a look at a field. Owned by the publisher's loop.
 */
final class ProtectionCheck {
    private final Broker broker;
    private ProtectionRules seen = ProtectionRules.NONE;
    private @Nullable TopicName lastName;
    private boolean lastForQueue;
    private @Nullable ProtectionRule lastRule;

    ProtectionCheck(Broker broker) {
        this.broker = broker;
    }

    /**
     * A message that its destination does not take.
     *
     * @param reason what is wrong with it
     */
    record Unsealed(ProtectionRule rule, String reason, Message original) {
        String errorQueue() {
            return rule.policy().errorQueue();
        }

        /** For the queue, which takes it as long as it is asked to, whatever its sender asked for. */
        Message forErrorQueue() {
            QualityOfService qos =
                    original.qos() == QualityOfService.AT_MOST_ONCE ? QualityOfService.AT_LEAST_ONCE : original.qos();
            return new Message(
                    TopicName.of(errorQueue()),
                    true,
                    qos,
                    false,
                    original.body(),
                    original.properties(),
                    Message.NEVER,
                    original.publisher());
        }

        DeadLetter why() {
            return new DeadLetter(DeadLetter.Cause.REJECTED, original.topic().text(), reason, 0);
        }
    }

    /** The rule for the destination of a message; null for none. */
    @SuppressWarnings("ReferenceEquality") // a client that stays at one destination names it with the very same object
    @Nullable ProtectionRule ruleOf(Message message) {
        ProtectionRules now = broker.protection();
        if (now.isEmpty()) {
            return null;
        }
        if (now != seen || message.topic() != lastName || message.isForQueue() != lastForQueue) {
            seen = now;
            lastName = message.topic();
            lastForQueue = message.isForQueue();
            String name = message.topic().text();
            lastRule = lastForQueue ? now.ofQueue(name) : now.ofTopic(name);
        }
        return lastRule;
    }

    /** What is wrong with a message; null when nothing is. */
    @Nullable Unsealed unsealed(Message message) {
        ProtectionRule rule = ruleOf(message);
        if (rule == null) {
            return null;
        }
        String reason = rule.refusalOf(message.payload());
        return reason == null ? null : new Unsealed(rule, reason, message);
    }
}
