package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.Trait;
import org.junit.jupiter.api.Test;

/**
 * What is kept and does nothing yet is named in the page about the objects. Whoever makes such a property act takes it
 * out of this list.
 */
final class EffectTest {
    @Test
    void shouldNameEveryPropertyThatHasNoEffectYet() {
        assertThat(ObjectTypes.all())
                .flatMap(type -> type.properties().stream()
                        .filter(property -> !property.effectWith().isEmpty())
                        .map(property -> type + "." + property.name())
                        .toList())
                .isEmpty();
    }

    @Test
    void shouldNotPromiseARestartWhereNothingHelps() {
        assertThat(ObjectTypes.all())
                .flatMap(type -> type.properties())
                .filteredOn(property -> !property.effectWith().isEmpty())
                .noneMatch(property -> property.is(Trait.READ_ONLY));
    }
}
