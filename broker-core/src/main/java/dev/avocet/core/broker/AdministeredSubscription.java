package dev.avocet.core.broker;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.messaging.AdminSubscription;
import dev.avocet.core.config.object.messaging.DurableNamespaceAdminSub;
import dev.avocet.core.config.object.messaging.NonpersistentAdminSub;
import dev.avocet.core.config.object.messaging.QualityOfServiceFilter;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.message.DeliveryOptions;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicFilter;
import dev.avocet.core.policy.Limits;
import dev.avocet.core.session.ClientSession;
import dev.avocet.core.session.PolicyUse;
import dev.avocet.core.session.ShareNames;
import dev.avocet.core.session.SubscriptionRequest;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator wants of a shared subscription. Immutable.
 *
 * @param group what the subscription is called inside the broker
 * @param survives whether its messages outlive the broker
 * @param addsRetained whether it begins with the retained messages
 */
record AdministeredSubscription(
        ObjectKey key,
        String group,
        TopicFilter filter,
        Limits limits,
        QualityOfService highest,
        QualityOfServiceFilter takes,
        boolean survives,
        boolean addsRetained) {
    static final String KEEPER_PREFIX = ClientSession.KEEPER_PREFIX;

    /** All that a configuration wants; what was deleted and stays for a while is not wanted. */
    static List<AdministeredSubscription> all(Configuration configuration) {
        return Stream.of(
                        each(configuration, AdminSubscription.class, AdministeredSubscription::of),
                        each(configuration, DurableNamespaceAdminSub.class, AdministeredSubscription::of),
                        each(configuration, NonpersistentAdminSub.class, AdministeredSubscription::of))
                .flatMap(some -> some)
                .filter(one -> !configuration.pendingDeletes().contains(one.key))
                .toList();
    }

    private static <T extends ConfigurationObject> Stream<AdministeredSubscription> each(
            Configuration configuration,
            Class<T> type,
            BiFunction<Configuration, T, AdministeredSubscription> conversion) {
        return configuration.all(type).stream().map(object -> conversion.apply(configuration, object));
    }

    private static AdministeredSubscription of(Configuration configuration, AdminSubscription object) {
        ObjectKey key = ObjectTypes.of(AdminSubscription.class).keyOf(object.name());
        return new AdministeredSubscription(
                key,
                ShareNames.mixed(object.shareName(), object.topicFilter()),
                TopicFilter.of(object.topicFilter()),
                subscriptionLimits(configuration, object.subscriptionPolicy()),
                QualityOfService.of(object.maxQualityOfService()),
                object.qualityOfServiceFilter(),
                true,
                object.addRetainedMsgs());
    }

    private static AdministeredSubscription of(Configuration configuration, DurableNamespaceAdminSub object) {
        ObjectKey key = ObjectTypes.of(DurableNamespaceAdminSub.class).keyOf(object.name());
        return new AdministeredSubscription(
                key,
                ShareNames.durable(object.name()),
                TopicFilter.of(object.topicFilter()),
                subscriptionLimits(configuration, object.subscriptionPolicy()),
                QualityOfService.of(object.maxQualityOfService()),
                object.qualityOfServiceFilter(),
                true,
                object.addRetainedMsgs());
    }

    private static AdministeredSubscription of(Configuration configuration, NonpersistentAdminSub object) {
        ObjectKey key = ObjectTypes.of(NonpersistentAdminSub.class).keyOf(object.name());
        return new AdministeredSubscription(
                key,
                ShareNames.notDurable(object.name()),
                TopicFilter.of(object.topicFilter()),
                Limits.of(configuration
                        .find(TopicPolicy.class, object.topicPolicy())
                        .orElseThrow()),
                QualityOfService.of(object.maxQualityOfService()),
                object.qualityOfServiceFilter(),
                false,
                object.addRetainedMsgs());
    }

    private static Limits subscriptionLimits(Configuration configuration, String policy) {
        return Limits.of(configuration.find(SubscriptionPolicy.class, policy).orElseThrow());
    }

    /** What the subscription of an object is called inside the broker; null for objects of another kind. */
    static @Nullable String groupOf(ObjectKey key) {
        Class<?> type = key.type().recordClass();
        if (type == AdminSubscription.class) {
            return ShareNames.mixed(AdminSubscription.shareName(key.name()), AdminSubscription.topicFilter(key.name()));
        }
        if (type == DurableNamespaceAdminSub.class) {
            return ShareNames.durable(key.name());
        }
        return type == NonpersistentAdminSub.class ? ShareNames.notDurable(key.name()) : null;
    }

    /** The client identifier of the session that keeps the subscription of an object. */
    static String keeperId(ObjectKey key) {
        return KEEPER_PREFIX + key.type().name() + ' ' + key.name();
    }

    String keeperId() {
        return keeperId(key);
    }

    /** How the keeper subscribes. */
    SubscriptionRequest request(PolicyUse policies) {
        return new SubscriptionRequest(
                group,
                filter,
                group,
                new DeliveryOptions(highest, false, false, DeliveryOptions.NO_IDENTIFIERS),
                false,
                policies.limitsUnder(limits),
                takes);
    }
}
