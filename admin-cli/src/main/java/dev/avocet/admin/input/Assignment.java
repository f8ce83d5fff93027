package dev.avocet.admin.input;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.TypeSchema;
import dev.avocet.admin.schema.Values;
import java.util.Optional;

/**
 * {@code Name=value}, as the user wrote it.
 *
 * @param name of the property
 * @param value may be empty, which gives the property its default
 */
public record Assignment(String name, String value) {
    public static Assignment parse(String text) throws AdminException {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw new AdminException(
                    ExitCode.USAGE, "'" + text + "' sets nothing; write Name=value, such as MaxMessages=100");
        }
        return new Assignment(text.substring(0, equals).strip(), text.substring(equals + 1));
    }

    /**
     * The value for JSON. A property that this program does not know is for the broker, which may be newer, to judge.
     */
    public Object plain(TypeSchema type) throws AdminException {
        Optional<PropertySchema> property = type.property(name);
        if (property.filter(known -> known.kind() == Kind.SECRET).isPresent() && !value.isEmpty()) {
            throw new AdminException(
                    ExitCode.USAGE,
                    name + " may not be an argument, which every user of the machine can read; use 'broker-admin "
                            + type.noun() + " update "
                            + OptionNames.of(property.get()).get(0) + " FILE'");
        }
        return property.map(known -> Values.ofText(known, value)).orElse(value);
    }
}
