package dev.avocet.server.config;

import dev.avocet.core.config.schema.Range;
import java.lang.reflect.RecordComponent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Walks a configuration and reports every option that is out of its {@link Range} or breaks a rule of its record. */
final class ConfigurationCheck {
    private ConfigurationCheck() {}

    static void check(Record section, Problems problems) {
        for (RecordComponent component : section.getClass().getRecordComponents()) {
            checkValue(component, Reflected.valueOf(component, section), problems.at(component.getName()));
        }
        if (section instanceof Constrained constrained) {
            constrained.check(problems);
        }
    }

    private static void checkValue(RecordComponent component, @Nullable Object value, Problems problems) {
        if (value instanceof Record section) {
            check(section, problems);
        } else if (value instanceof List<?> elements) {
            checkElements(elements, problems);
        } else if (value instanceof Number number) {
            checkRange(component, number, problems);
        }
    }

    private static void checkElements(List<?> elements, Problems problems) {
        for (int i = 0; i < elements.size(); i++) {
            if (elements.get(i) instanceof Record section) {
                check(section, problems.at(i));
            }
        }
    }

    private static void checkRange(RecordComponent component, Number number, Problems problems) {
        Range range = component.getAnnotation(Range.class);
        if (range != null && (number.longValue() < range.min() || number.longValue() > range.max())) {
            problems.add(outside(number, component));
        }
    }

    static String outside(Number number, RecordComponent component) {
        Range range = component.getAnnotation(Range.class);
        return range == null ? number + " is too large" : number + " is outside " + range.min() + "-" + range.max();
    }
}
