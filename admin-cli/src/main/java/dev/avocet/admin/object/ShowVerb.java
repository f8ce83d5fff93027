package dev.avocet.admin.object;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.ObjectPrinter;
import dev.avocet.admin.schema.TypeSchema;
import picocli.CommandLine.Model.CommandSpec;

/** {@code show}: one object. */
public final class ShowVerb extends ObjectVerb {
    private final ObjectFormatOption output = new ObjectFormatOption();

    public ShowVerb(TypeSchema type) {
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
