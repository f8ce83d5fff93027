package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.input.OptionNames;
import dev.avocet.admin.schema.KebabCase;
import dev.avocet.admin.schema.Kind;
import dev.avocet.admin.schema.PropertySchema;
import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.Trait;
import dev.avocet.admin.schema.TypeSchema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every type and property of the description can be used. */
class SchemaTest {
    @TempDir
    private Path directory;

    static Stream<String> types() {
        return Schema.load().types().stream().map(TypeSchema::name);
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldSetEveryProperty(String typeName) throws IOException {
        try (FakeAdminApi api = new FakeAdminApi()) {
            // given
            TypeSchema type = Schema.load().type(typeName).orElseThrow();
            List<PropertySchema> properties = type.properties().stream()
                    .filter(property -> !property.is(Trait.KEY) && !property.is(Trait.READ_ONLY))
                    .toList();
            List<String> command = new ArrayList<>(
                    type.shape() == Shape.NAMED ? List.of(type.noun(), "create", "x") : List.of(type.noun(), "update"));
            for (PropertySchema property : properties) {
                command.add(OptionNames.of(property).get(0));
                command.add(value(property));
            }

            // when
            Shell shell = new Shell(api);
            int exitCode = shell.run(command.toArray(String[]::new));

            // then
            assertThat(exitCode).as(shell.err()).isZero();
            assertThat(api.changes()).singleElement().asString().doesNotContain("null");
            assertThat(properties)
                    .allSatisfy(property -> assertThat(api.changes().get(0)).contains("\"" + property.name() + "\":"));
        }
    }

    @ParameterizedTest
    @MethodSource("types")
    void shouldExplainEveryProperty(String typeName) throws IOException {
        try (FakeAdminApi api = new FakeAdminApi()) {
            // given
            TypeSchema type = Schema.load().type(typeName).orElseThrow();
            Shell shell = new Shell(api);

            // when
            int exitCode = shell.run(type.noun(), type.shape() == Shape.NAMED ? "create" : "update", "--help");

            // then
            assertThat(exitCode).isZero();
            String help = shell.out().replaceAll("\\s+", "");
            type.properties().stream()
                    .filter(property -> !property.is(Trait.READ_ONLY))
                    .forEach(property -> assertThat(help)
                            .contains(property.documentation().replace("`", "").replaceAll("\\s+", "")));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MaxMessageSize,max-message-size",
        "ServerUID,server-uid",
        "TLSEnabled,tls-enabled",
        "ClientID,client-id",
        "AddRetainedMsgs,add-retained-msgs",
        "Port,port"
    })
    void shouldWriteNamesForCommandLines(String name, String option) {
        assertThat(KebabCase.of(name)).isEqualTo(option);
    }

    @Test
    void shouldHaveEveryNounInTheHelp() throws IOException {
        try (FakeAdminApi api = new FakeAdminApi()) {
            Shell shell = new Shell(api);
            shell.run("--help");
            Schema.load().types().forEach(type -> assertThat(shell.out()).contains("  " + type.noun()));
        }
    }

    private String value(PropertySchema property) throws IOException {
        return switch (property.kind()) {
            case BOOLEAN -> "true";
            case NUMBER -> "1";
            case SIZE -> "1KB";
            case CHOICE, CHOICES -> property.words().get(0);
            case SECRET -> Files.writeString(directory.resolve("secret"), "s").toString();
            case REFERENCE, REFERENCES, TEXT -> "text";
        };
    }

    @Test
    void shouldKnowTheWordsOfChoices() {
        assertThat(Schema.load().types().stream()
                        .flatMap(type -> type.properties().stream())
                        .filter(property -> property.kind() == Kind.CHOICE || property.kind() == Kind.CHOICES))
                .isNotEmpty()
                .noneMatch(property -> property.words().isEmpty());
    }
}
