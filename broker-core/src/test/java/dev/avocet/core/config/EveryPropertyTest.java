package dev.avocet.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.core.config.schema.Trait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every property of every type keeps what its description promises. */
class EveryPropertyTest {
    private static final Configuration SAMPLES = Samples.configuration();

    /** Those that another property makes necessary in the sample object. */
    private static final Set<String> NEEDED_BY_OTHERS = Set.of(
            "SecurityProfile.CertificateProfile",
            "Endpoint.SecurityProfile",
            "OAuthProfile.ResourceURL",
            "LTPAProfile.Password");

    static Stream<Arguments> properties() {
        return ObjectTypes.all().stream()
                .flatMap(type -> type.properties().stream().map(property -> arguments(type, property.name())));
    }

    static Stream<Arguments> types() {
        return ObjectTypes.all().stream().map(Arguments::arguments);
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldBeDescribed(ObjectType type, String name) {
        // given
        Property property = type.property(name).orElseThrow();

        // then
        assertThat(property.documentation()).endsWith(".").hasSizeGreaterThan(8);
        assertThat(property.name()).matches("[A-Z][A-Za-z]+");
        assertThat(property.type().describe()).isNotBlank();
        assertThat(property.is(Trait.REQUIRED) && !property.defaultText().isEmpty())
                .as("required and a default")
                .isFalse();
        property.target()
                .ifPresent(target -> assertThat(ObjectTypes.named(target)).isPresent());
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldHaveItsDefaultOrBeRequired(ObjectType type, String name) throws ConfigurationRefusedException {
        Property property = type.property(name).orElseThrow();
        if (property.is(Trait.KEY) || NEEDED_BY_OTHERS.contains(type + "." + name)) {
            return;
        }
        for (Object cleared : new @Nullable Object[] {null, "", List.of()}) {
            if (property.is(Trait.REQUIRED)) {
                assertThat(refusal(type, name, cleared))
                        .anySatisfy(problem -> assertThat(problem)
                                .contains(name)
                                .contains("is required; give it "
                                        + property.type().describe()));
            } else {
                assertThat(shown(type, name, cleared)).isEqualTo(property.type().plain(property.defaultValue()));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldTakeWhatIsWithinItsLimits(ObjectType type, String name) throws ConfigurationRefusedException {
        // given
        Property property = type.property(name).orElseThrow();
        if (isChangeable(property)) {
            for (Map.Entry<Object, Object> accepted :
                    PropertyCases.of(property).accepted().entrySet()) {
                // when
                Object shown = shown(type, name, accepted.getKey());

                // then
                assertThat(shown).as("given %s", accepted.getKey()).isEqualTo(accepted.getValue());
                for (String alias : property.aliases()) {
                    assertThat(changed(type, alias, accepted.getKey()).get(name))
                            .isEqualTo(shown);
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldRefuseWhatIsBeyondItsLimits(ObjectType type, String name) {
        Property property = type.property(name).orElseThrow();
        for (Object refused : PropertyCases.of(property).refused()) {
            // when
            List<String> problems = refusal(type, name, refused);

            // then
            assertThat(problems)
                    .as("given %s", refused)
                    .singleElement()
                    .satisfies(problem -> assertThat(problem).startsWith(Samples.keyOf(type) + ": " + name + ": "));
        }
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldBeFoundUnderANameNearby(ObjectType type, String name) {
        // when
        List<String> problems = refusal(type, name + "x", "anything");

        // then
        assertThat(problems)
                .singleElement()
                .satisfies(problem -> assertThat(problem)
                        .contains("is not a property of " + type)
                        .contains("did you mean '" + name + "'?"));
    }

    @ParameterizedTest
    @MethodSource("properties")
    void shouldNotChangeWhatCannotBeChanged(ObjectType type, String name) throws ConfigurationRefusedException {
        Property property = type.property(name).orElseThrow();
        if (!isChangeable(property)) {
            // given
            Object now = shown(type, name);

            // then
            assertThat(refusal(type, name, "other/#"))
                    .singleElement()
                    .satisfies(problem -> assertThat(problem).contains("cannot be changed"));
            assertThat(shown(type, name, now)).isEqualTo(now);
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldSayEverythingThatIsWrongAtOnce(ObjectType type) {
        // given
        Map<String, @Nullable Object> wrong = new HashMap<>();
        type.properties().forEach(property -> wrong.put(property.name(), Map.of()));

        // when
        List<String> problems = refusal(type, wrong);

        // then
        assertThat(problems).hasSameSizeAs(type.properties());
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldTakeBackWhatIsShown(ObjectType type) throws ConfigurationRefusedException {
        // given
        Map<String, Object> shown = ConfigurationTree.shown(SAMPLES, Samples.keyOf(type));

        // when
        Configuration again = SAMPLES.changed(
                List.of(ConfigurationChange.put(Samples.keyOf(type), new HashMap<>(shown))),
                LiveUse.NONE,
                Samples::hash);

        // then
        assertThat(again.withVersion(SAMPLES.version())).isEqualTo(SAMPLES);
    }

    private static boolean isChangeable(Property property) {
        return !property.is(Trait.KEY) && !property.is(Trait.FIXED) && !property.is(Trait.READ_ONLY);
    }

    private static Object shown(ObjectType type, String name, @Nullable Object value)
            throws ConfigurationRefusedException {
        return Objects.requireNonNull(changed(type, name, value).get(name));
    }

    private static Object shown(ObjectType type, String name) {
        return Objects.requireNonNull(
                ConfigurationTree.shown(SAMPLES, Samples.keyOf(type)).get(name));
    }

    private static Map<String, Object> changed(ObjectType type, String name, @Nullable Object value)
            throws ConfigurationRefusedException {
        return ConfigurationTree.shown(
                SAMPLES.changed(List.of(put(type, name, value)), LiveUse.NONE, Samples::hash), Samples.keyOf(type));
    }

    private static List<String> refusal(ObjectType type, String name, @Nullable Object value) {
        Map<String, @Nullable Object> properties = new HashMap<>();
        properties.put(name, value);
        return refusal(type, properties);
    }

    private static List<String> refusal(ObjectType type, Map<String, @Nullable Object> properties) {
        ConfigurationRefusedException refusal = catchThrowableOfType(
                ConfigurationRefusedException.class,
                () -> SAMPLES.changed(
                        List.of(ConfigurationChange.put(Samples.keyOf(type), properties)),
                        LiveUse.NONE,
                        Samples::hash));
        assertThat(refusal).as("refusal of %s", properties).isNotNull();
        assertThat(refusal.getStackTrace()).isEmpty();
        return new ArrayList<>(refusal.problems().stream().map(Object::toString).toList());
    }

    private static ConfigurationChange put(ObjectType type, String name, @Nullable Object value) {
        Map<String, @Nullable Object> properties = new HashMap<>();
        properties.put(name, value);
        return ConfigurationChange.put(Samples.keyOf(type), properties);
    }
}
