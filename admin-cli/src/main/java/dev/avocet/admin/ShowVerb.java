package dev.avocet.admin;

import dev.avocet.admin.schema.TypeSchema;
import picocli.CommandLine.Model.CommandSpec;

/** {@code show}: one object. */
final class ShowVerb extends ObjectVerb {
    private final ObjectFormatOption output = new ObjectFormatOption();

    ShowVerb(TypeSchema type) {
        super(type, "show", "Shows all properties.");
        takesName();
        spec().addMixin("output", CommandSpec.forAnnotatedObject(output));
    }

    @Override
    public Integer call() throws AdminException {
        TypeAccess access = new TypeAccess(api(), type());
        new ObjectPrinter(type(), output.format(), out()).one(name(), access.existing(access.view(), name()));
        return ExitCode.DONE;
    }
}
