package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.core.config.schema.Trait;
import dev.avocet.core.config.value.TextValue;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes docs/objects.md from the descriptions of the configuration objects. */
final class ObjectsPage {
    private final StringBuilder page = new StringBuilder();

    private ObjectsPage() {}

    static String render() {
        ObjectsPage writer = new ObjectsPage();
        writer.page.append("""
                # Configuration objects

                This page is generated from the records in `dev.avocet.core.config.object`; to change it, change them and run
                `mvn -pl broker-core -am test -Dtest=ObjectsPageTest -Dsurefire.failIfNoSpecifiedTests=false -Davocet.writeDocs=true`.

                What clients may do is said by objects that administrators create, change and delete while the broker runs. They are
                kept in `data/config`, the last 20 versions of them, and names, limits and defaults are those of IBM MessageSight.
                They act as soon as they are changed, but for what the tables say acts at the next start, or is only kept so far.
                How to change them, and what the [startup file](configuration.md) says beside: [operations](operations.md#administration).

                ## Rules

                - Objects are written as `{"Queue": {"orders": {"MaxMessages": 100}}}`; several at once are changed together or not at
                  all. What there is one of is written by itself: `{"LogLevel": "MAX"}`.
                - A change merges: a property that is not named keeps its value, and `null` or `""` gives it its default.
                - A list is shown as text with commas, and taken as that or as a JSON list; `All` stands for every word that there is to
                  choose. A number or a truth value may be given as text. A size needs its unit: `4096KB`, `4MB`, `1GB`.
                - A name has no blank at its ends and no control character, comma, double quote, backslash or equals sign; it begins with
                  neither a digit nor any of ``! # $ % & ' ( ) * + - . / : ; < > ? @``.
                - An object that another one refers to cannot be deleted. A policy by which subscriptions live, and a queue that is being
                  emptied, stay with `PendingDelete` until they are let go of.
                - The filters of a policy must all match; one at least is needed. The policies of an endpoint are tried in order, at most
                  100 of each kind, and the first that matches decides.
                - In filters, `${UserID}`, `${CommonName}`, `${ClientID}` and `${GroupID}` stand for what is known of the client, and
                  `${Claim.NAME}` for a claim of its token, each at most once and where the tables say so; `${$}` and `${*}` are a
                  literal dollar sign and asterisk.
                - A password is kept as a verifier from which it cannot be read; `********` is shown, and keeps it when given.

                ## Where this differs from MessageSight

                - `MaxMessagesBehavior` has a third value, `Backpressure`; `MaxBytes` bounds memory beside `MaxMessages`; with
                  `RejectScope` `FullSubscriber`, a full subscriber fails alone and not the publish for everybody.
                - An endpoint that others can reach needs a `SecurityProfile`, or `AllowInsecure`. The administration listens on
                  loopback, and so do the endpoints of a new broker.
                - `MinimumProtocolMethod` knows `TLSv1.3`; `Ciphers` is `Medium` by default; a password may have 128 characters.
                - A `MessagingPolicy` of release 1 becomes a TopicPolicy, a QueuePolicy or a SubscriptionPolicy by its
                  `DestinationType`, `Destination` becoming `Topic`, `Queue` or `Subscription`; `MessagingPolicies` of an endpoint are
                  sorted into the three lists.
                """);
        ObjectTypes.all().stream().filter(type -> type.shape() == Shape.NAMED).forEach(writer::section);
        ObjectTypes.all().stream().filter(type -> type.shape() != Shape.NAMED).forEach(writer::section);
        return writer.page.toString();
    }

    private void section(ObjectType type) {
        page.append("\n## ")
                .append(type.shape() == Shape.VALUES ? "Single values" : type.name())
                .append("\n\n")
                .append(type.documentation())
                .append("\n\n| property | values | default | what it does |\n| --- | --- | --- | --- |\n");
        type.properties().forEach(this::row);
    }

    private void row(Property property) {
        page.append("| `")
                .append(property.name())
                .append("` | ")
                .append(property.type().describe().replaceAll(",$", ""))
                .append(" | ")
                .append(shownDefault(property))
                .append(" | ")
                .append(property.documentation())
                .append(remarks(property))
                .append(" |\n");
    }

    private static String shownDefault(Property property) {
        if (property.is(Trait.REQUIRED)) {
            return "required";
        }
        Object value = property.defaultValue();
        boolean none = value.equals("") || value instanceof Collection<?> several && several.isEmpty();
        Object plain = property.type().plain(value);
        return none || plain.equals("") ? "none" : "`" + plain + "`";
    }

    private static String remarks(Property property) {
        List<String> remarks = new ArrayList<>();
        if (property.type() instanceof TextValue text && !text.variables().isEmpty()) {
            remarks.add("May hold "
                    + text.variables().stream()
                            .sorted()
                            .map(variable -> "`" + variable + "`")
                            .collect(Collectors.joining(", "))
                    + ".");
        }
        if (property.option().isEmpty()) {
            property.traits().stream().sorted().map(ObjectsPage::remark).forEach(remarks::add);
        } else {
            remarks.add("Set by the option `" + property.option() + "`.");
        }
        if (!property.effectWith().isEmpty()) {
            remarks.add("**Kept; takes effect with " + property.effectWith() + ".**");
        }
        property.aliases().forEach(alias -> remarks.add("Also taken as `" + alias + "`."));
        return remarks.stream()
                .filter(remark -> !remark.isEmpty())
                .map(remark -> " " + remark)
                .collect(Collectors.joining());
    }

    private static String remark(Trait trait) {
        return switch (trait) {
            case KEY, REQUIRED -> "";
            case FILTER -> "A filter.";
            case READ_ONLY -> "Set by the broker.";
            case FIXED -> "Cannot be changed.";
            case NEEDS_RESTART -> "A change acts at the next start.";
        };
    }
}
