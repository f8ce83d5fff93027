package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.ProtectionPolicy;
import dev.avocet.core.config.object.security.LDAP;
import dev.avocet.core.config.object.security.LTPAProfile;
import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.config.object.security.SecurityProfile;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.ChoiceValue;
import dev.avocet.core.config.value.ChoicesValue;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.config.value.TextFormat;
import dev.avocet.core.config.value.TextValue;
import dev.avocet.core.config.value.ValueType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration with one valid object of each type, made from the descriptions alone. */
final class Samples {
    private Samples() {}

    static Configuration configuration() {
        List<ConfigurationChange> changes = new ArrayList<>();
        for (ObjectType type : ObjectTypes.all()) {
            if (type.shape() == Shape.NAMED) {
                changes.add(ConfigurationChange.put(keyOf(type), properties(type)));
            }
        }
        changes.add(ConfigurationChange.put(
                ObjectTypes.of(LDAP.class).keyOf(""),
                Map.of("BaseDN", "dc=example,dc=com", "BindPassword", "secret", "Certificate", "sample.pem")));
        return changed(Configuration.EMPTY, changes);
    }

    static Configuration changed(Configuration configuration, List<ConfigurationChange> changes) {
        try {
            return configuration.changed(changes, LiveUse.NONE, Samples::hash);
        } catch (ConfigurationRefusedException e) {
            throw new AssertionError(e.getMessage(), e);
        }
    }

    static String hash(String password) {
        return "hash of " + password.length() + " characters";
    }

    /** The object of a type that is in the configuration. */
    static ObjectKey keyOf(ObjectType type) {
        return type.keyOf(type.key().map(Samples::name).orElse(""));
    }

    /** Everything that is required, every filter, and every reference. */
    static Map<String, @Nullable Object> properties(ObjectType type) {
        Map<String, @Nullable Object> properties = new LinkedHashMap<>();
        for (Property property : type.properties()) {
            boolean needed = property.is(Trait.REQUIRED) || property.is(Trait.FILTER);
            if (property.target().isPresent()) {
                properties.put(property.name(), name(target(property)));
            } else if (needed && !property.is(Trait.KEY)) {
                properties.put(property.name(), value(property.type()));
            }
        }
        if (type.equals(ObjectTypes.of(OAuthProfile.class))) { // required with one TokenCheck or another
            properties.put("ResourceURL", text(TextFormat.WEB_URL));
            properties.put("KeySetSource", text(TextFormat.LIST_SOURCE));
            properties.put("Issuer", "sample");
            properties.put("KeyFileName", text(TextFormat.FILE_NAME));
        }
        if (type.equals(ObjectTypes.of(LTPAProfile.class))) {
            properties.put("Password", "secret");
        }
        if (type.equals(ObjectTypes.of(SecurityProfile.class))) { // one of two
            properties.remove("LTPAProfile");
        }
        if (type.equals(ObjectTypes.of(ProtectionPolicy.class))) { // one of two is required, or with one Protection
            properties.put("Queue", "sample");
            properties.put("Topic", "sample");
            properties.put("Recipients", text(TextFormat.SUBJECT_NAMES));
        }
        return properties;
    }

    private static Property target(Property reference) {
        return reference
                .target()
                .flatMap(ObjectTypes::named)
                .orElseThrow()
                .key()
                .orElseThrow();
    }

    private static String name(Property key) {
        return text(((TextValue) key.type()).format());
    }

    private static Object value(ValueType type) {
        if (type instanceof TextValue text) {
            return text(text.format());
        }
        if (type instanceof ChoicesValue choices) {
            return choices.words();
        }
        if (type instanceof ChoiceValue choice) {
            return choice.words().get(0);
        }
        return ((NumberValue) type).min() + 1000;
    }

    /** A text of a format. */
    static String text(TextFormat format) {
        return switch (format) {
            case PLAIN, NAME, QUEUE_NAME, ID_PATTERN, PATTERN -> "sample";
            case FILE_NAME -> "sample.pem";
            case ADDRESSES -> "10.0.0.1,10.1.0.0-10.1.255.255,[::1],[2001:db8::1]-[2001:db8::9]";
            case INTERFACE -> "127.0.0.1";
            case LIST_SOURCE -> "http://pki.example.com/clients.crl";
            case WEB_URL -> "https://login.example.com/userinfo";
            case SERVER -> "other.example.com:1883";
            case NODE_ADDRESSES -> "a=mq1.example.com,b=[2001:db8::1]:1884";
            case DIRECTORY_URLS -> "ldap://one.example.com ldaps://[2001:db8::1]:1636";
            case DISTINGUISHED_NAME -> "ou=people,dc=example,dc=com";
            case SUBJECT_NAMES -> "CN=orders,O=Acme;CN=bills,O=Acme";
            case ATTRIBUTE -> "inetOrgPerson:uid";
            case TOPIC_FILTER, MONITORED_FILTER -> "sample/#";
            case SHARED_FILTER -> "/share/sample/#";
            case TRACE_LEVEL -> "5,mqtt:9,-tcp";
            case TRACE_CONNECTION -> "endpoint=field,clientid=phone*,clientaddr=10.0.0.1";
        };
    }
}
