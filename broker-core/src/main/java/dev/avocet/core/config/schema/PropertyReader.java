package dev.avocet.core.config.schema;

import dev.avocet.core.config.value.BooleanValue;
import dev.avocet.core.config.value.ChoiceValue;
import dev.avocet.core.config.value.ChoicesValue;
import dev.avocet.core.config.value.NumberValue;
import dev.avocet.core.config.value.OutgoingSecret;
import dev.avocet.core.config.value.ReferenceValue;
import dev.avocet.core.config.value.ReferencesValue;
import dev.avocet.core.config.value.Secret;
import dev.avocet.core.config.value.SecretValue;
import dev.avocet.core.config.value.SizeValue;
import dev.avocet.core.config.value.TextValue;
import dev.avocet.core.config.value.ValueType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Makes the description of a property from a record component and its annotations. */
final class PropertyReader {
    private static final int BYTES_PER_KB = 1024;

    private PropertyReader() {}

    /** The property that a component holds, or those of the record that is embedded there. */
    static Stream<Property> read(RecordComponent component) {
        return component.isAnnotationPresent(Embedded.class)
                ? Arrays.stream(component.getType().getRecordComponents()).map(inner -> read(inner, component))
                : Stream.of(read(component, null));
    }

    /** What the property of a component is called. */
    static String nameOf(RecordComponent component) {
        Named named = component.getAnnotation(Named.class);
        return named == null ? capitalised(component.getName()) : named.value();
    }

    private static Property read(RecordComponent component, @Nullable RecordComponent embeddedIn) {
        Named named = component.getAnnotation(Named.class);
        Traits traits = component.getAnnotation(Traits.class);
        EffectWith effectWith = component.getAnnotation(EffectWith.class);
        OfOption option = component.getAnnotation(OfOption.class);
        Default byDefault = component.getAnnotation(Default.class);
        return new Property(
                nameOf(component),
                named == null ? List.of() : List.of(named.aliases()),
                component.getAnnotation(Doc.class).value(),
                traits == null ? Set.of() : Set.of(traits.value()),
                effectWith == null ? "" : effectWith.value(),
                option == null ? "" : option.value(),
                byDefault == null ? "" : byDefault.value(),
                typeOf(component),
                component,
                embeddedIn);
    }

    private static ValueType typeOf(RecordComponent component) {
        Class<?> type = component.getType();
        if (type == boolean.class) {
            return new BooleanValue();
        }
        if (type == int.class || type == long.class) {
            return number(component);
        }
        if (type == Secret.class) {
            return secret(component, SecretValue.Use.INCOMING);
        }
        if (type == OutgoingSecret.class) {
            return secret(component, SecretValue.Use.OUTGOING);
        }
        if (type == Set.class) {
            return new ChoicesValue(elementOf(component));
        }
        return type.isEnum() ? new ChoiceValue(type) : words(component);
    }

    private static ValueType secret(RecordComponent component, SecretValue.Use use) {
        return new SecretValue(component.getAnnotation(Text.class).maxLength(), use);
    }

    private static ValueType number(RecordComponent component) {
        Size size = component.getAnnotation(Size.class);
        if (size != null) {
            return new SizeValue(size.minKb() * BYTES_PER_KB, size.maxKb() * BYTES_PER_KB, size.orUnlimited());
        }
        Range range = component.getAnnotation(Range.class);
        return new NumberValue(range.min(), range.max(), range.orUnlimited(), component.getType() == int.class);
    }

    private static ValueType words(RecordComponent component) {
        Reference reference = component.getAnnotation(Reference.class);
        if (reference == null) {
            Text text = component.getAnnotation(Text.class);
            return new TextValue(text.maxLength(), text.format(), Set.of(text.variables()));
        }
        String target = reference.value().getSimpleName();
        return component.getType() == List.class
                ? new ReferencesValue(target, reference.max())
                : new ReferenceValue(target);
    }

    private static Class<?> elementOf(RecordComponent component) {
        return (Class<?>) ((ParameterizedType) component.getGenericType()).getActualTypeArguments()[0];
    }

    private static String capitalised(String name) {
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }
}
