package dev.avocet.core.session;

import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.selector.Selector;
import dev.avocet.core.topic.Subscription;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A shared subscription and how many sessions belong to it. Guarded by the map of {@link SharedSubscriptions} that
 * holds it.
 */
final class SharedSubscription {
    final String group;
    /** What people call it. */
    final SubscriptionId id;
    /** What the topic tree has of it. */
    Subscription entry;
    /** Highest level at which its members get messages. */
    QualityOfService highest = QualityOfService.EXACTLY_ONCE;

    int members;
    /** Whether a session that outlives its connection has joined. */
    boolean durable;
    /** Whether it is not in the topic tree yet, as it is being imported. */
    boolean prepared;
    /** The keeper for an administrator who made it; null when none did. */
    @Nullable ClientSession administrator;

    SharedSubscription(String group, Subscription entry) {
        this.group = group;
        this.id = ShareNames.idOf(group);
        this.entry = entry;
    }

    /** Whether an administrator made it; who joins need not know then which messages it takes. */
    boolean isAdministered() {
        return administrator != null;
    }

    /** All members have the same filter and take the same messages. */
    void expectFitting(SubscriptionRequest request) {
        expectSameFilter(request);
        boolean asMade = isAdministered() && request.takes() == QualityOfServiceFilter.NONE;
        if (entry.takes() != request.takes() && !asMade) {
            throw new ShareMismatchException(
                    "all members that share '" + id.name() + "' take the messages of the same quality of service: "
                            + entry.takes() + ", not " + request.takes());
        }
        boolean asSelected = isAdministered() && request.selector() == null;
        if (!Objects.equals(entry.selector(), request.selector()) && !asSelected) {
            throw new ShareMismatchException("all members that share '" + id.name() + "' use the same selector: "
                    + shown(entry.selector()) + ", not " + shown(request.selector()));
        }
    }

    private static String shown(@Nullable Selector selector) {
        return selector == null ? "none" : selector.text();
    }

    void expectSameFilter(SubscriptionRequest request) {
        if (!entry.filter().equals(request.filter())) {
            throw new ShareMismatchException("all members that share '" + id.name() + "' subscribe to '"
                    + entry.filter() + "', not to '" + request.filter() + "'");
        }
    }

    /** How one member gets its messages. */
    DeliveryOptions optionsFor(DeliveryOptions wanted) {
        return wanted.qos().compareTo(highest) <= 0
                ? wanted
                : new DeliveryOptions(
                        highest, wanted.retainAsPublished(), wanted.retained(), wanted.subscriptionIdentifiers());
    }
}
