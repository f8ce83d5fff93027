package dev.avocet.core.config.object;

import dev.avocet.core.config.object.messaging.AdminSubscription;
import dev.avocet.core.config.object.messaging.DurableNamespaceAdminSub;
import dev.avocet.core.config.object.messaging.Endpoint;
import dev.avocet.core.config.object.messaging.MessageHub;
import dev.avocet.core.config.object.messaging.NonpersistentAdminSub;
import dev.avocet.core.config.object.messaging.Queue;
import dev.avocet.core.config.object.messaging.TopicMonitor;
import dev.avocet.core.config.object.policy.ConfigurationPolicy;
import dev.avocet.core.config.object.policy.ConnectionPolicy;
import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.core.config.object.policy.QueuePolicy;
import dev.avocet.core.config.object.policy.SubscriptionPolicy;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.object.security.CRLProfile;
import dev.avocet.core.config.object.security.CertificateProfile;
import dev.avocet.core.config.object.security.ClientCertificate;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.OCSPProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.object.security.TrustedCertificate;
import dev.avocet.core.config.object.server.AdminEndpoint;
import dev.avocet.core.config.object.server.HighAvailability;
import dev.avocet.core.config.object.server.Singletons;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** All types of configuration objects, each after those that it refers to. */
public final class ObjectTypes {
    private static final List<ObjectType> ALL = List.of(
            ObjectType.of(Singletons.class, Shape.VALUES),
            ObjectType.of(LDAP.class, Shape.SINGLE),
            ObjectType.of(HighAvailability.class, Shape.SINGLE),
            named(CertificateProfile.class),
            named(CRLProfile.class),
            named(OCSPProfile.class),
            named(OAuthProfile.class),
            named(LTPAProfile.class),
            named(SecurityProfile.class),
            named(TrustedCertificate.class),
            named(ClientCertificate.class),
            named(MessageHub.class),
            named(ConnectionPolicy.class),
            named(TopicPolicy.class),
            named(QueuePolicy.class),
            named(SubscriptionPolicy.class),
            named(ConfigurationPolicy.class),
            named(Endpoint.class),
            ObjectType.of(AdminEndpoint.class, Shape.SINGLE),
            named(Queue.class),
            named(ProtectionPolicy.class),
            named(TopicMonitor.class),
            named(AdminSubscription.class),
            named(DurableNamespaceAdminSub.class),
            named(NonpersistentAdminSub.class));

    private static final Map<String, ObjectType> BY_NAME =
            ALL.stream().collect(Collectors.toUnmodifiableMap(ObjectType::name, Function.identity()));

    private ObjectTypes() {}

    /** All of them; one that refers to another comes after it. */
    public static List<ObjectType> all() {
        return ALL;
    }

    /** The type of that name. */
    public static Optional<ObjectType> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** The type of the objects of a class; {@link IllegalArgumentException} when there is none. */
    public static ObjectType of(Class<? extends ConfigurationObject> recordClass) {
        return named(recordClass.getSimpleName())
                .orElseThrow(() -> new IllegalArgumentException(recordClass + " is not a configuration object"));
    }

    private static ObjectType named(Class<? extends ConfigurationObject> recordClass) {
        return ObjectType.of(recordClass, Shape.NAMED);
    }
}
