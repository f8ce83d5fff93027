package dev.avocet.admin.object;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ObjectChange;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.TypeSchema;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** {@code create} and {@code update}: the broker takes both as the same change, so this program looks before. */
public final class ChangeVerb extends ObjectVerb {
    private static final int ATTEMPTS = 5;

    private final boolean isNew;
    private final PropertyOptions properties;
    private final OptionSpec dryRun =
            flag("--dry-run", "has the broker check it, shows what would change, and changes nothing");

    private ChangeVerb(TypeSchema type, boolean isNew) {
        super(type, isNew ? "create" : "update", description(isNew));
        this.isNew = isNew;
        this.properties = new PropertyOptions(type, isNew);
        takesName();
        properties.addTo(spec());
        spec().addOption(dryRun);
    }

    public static ChangeVerb create(TypeSchema type) {
        return new ChangeVerb(type, true);
    }

    public static ChangeVerb update(TypeSchema type) {
        return new ChangeVerb(type, false);
    }

    private static String description(boolean isNew) {
        return isNew
                ? "Creates one. What is not given has its default."
                : "Changes what is given and keeps the rest; an empty value gives a property its default.";
    }

    @Override
    public Integer call() throws AdminException {
        Map<String, Object> given = properties.given();
        if (!isNew && given.isEmpty()) {
            throw new ParameterException(
                    spec().commandLine(), "say what to change, with an option for a property or --set Name=value");
        }
        AdminClient client = client();
        String name = name();
        LocalCertificates local = new LocalCertificates(type(), client);
        ObjectChanger changer = new ObjectChanger(new ConfigurationApi(client), type(), ATTEMPTS);
        if (isGiven(dryRun)) {
            // files that are not there yet would be refused
            ObjectChange change = local.wouldUpload(name, given)
                    ? changer.planned(name, given, isNew)
                    : changer.change(name, given, isNew, true);
            change.print(out());
            return ExitCode.DONE;
        }
        name = local.uploadedName(name);
        ObjectChange unused = changer.change(name, local.uploaded(name, given), isNew, false);
        out().println(type().called(name) + (isNew ? " created" : " updated"));
        return changer.tellProblems(spec().commandLine().getErr());
    }
}
