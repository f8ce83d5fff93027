package dev.avocet.admin;

import dev.avocet.admin.schema.Schema;
import dev.avocet.admin.schema.Shape;
import dev.avocet.admin.schema.TypeSchema;
import java.util.List;
import java.util.function.Predicate;
import picocli.CommandLine;

/** A command for each type of objects. */
final class Nouns {
    private Nouns() {}

    /** @param isNeeded for which nouns the verbs are made, because making all of them takes a good part of a short run */
    static void addTo(CommandLine program, Schema schema, Predicate<String> isNeeded) {
        schema.types().stream().sorted((a, b) -> a.noun().compareTo(b.noun())).forEach(type -> {
            List<ObjectVerb> verbs = isNeeded.test(type.noun()) ? verbs(type) : List.of();
            program.addSubcommand(type.noun(), ObjectVerb.noun(type, verbs));
        });
    }

    private static List<ObjectVerb> verbs(TypeSchema type) {
        return type.shape() == Shape.NAMED
                ? List.of(
                        ChangeVerb.create(type),
                        ChangeVerb.update(type),
                        new ShowVerb(type),
                        new ListVerb(type),
                        new DeleteVerb(type))
                : List.of(ChangeVerb.update(type), new ShowVerb(type));
    }
}
