package dev.avocet.admin.object;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ObjectChange;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/** {@code delete}: one object. */
public final class DeleteVerb extends ObjectVerb {
    private final OptionSpec dryRun = flag("--dry-run", "looks whether it is there, and deletes nothing");
    private final OptionSpec discardMessages =
            flag("--discard-messages", "even when messages wait in it; they are lost");
    private final OptionSpec discardSharers = flag("--discard-sharers", "even when clients share it; they are cut off");

    public DeleteVerb(TypeSchema type) {
        super(type, "delete", "Deletes one that nothing else refers to.");
        takesName();
        spec().addOption(discardMessages).addOption(discardSharers).addOption(dryRun);
    }

    @Override
    public Integer call() throws AdminException {
        ConfigurationApi api = api();
        if (isGiven(dryRun)) {
            TypeAccess access = new TypeAccess(api, type());
            access.existing(access.view(), name());
            ObjectChange.delete(type(), name()).print(out());
            return ExitCode.DONE;
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        if (isGiven(discardMessages)) {
            parameters.put("DiscardMessages", "true");
        }
        if (isGiven(discardSharers)) {
            parameters.put("DiscardSharers", "true");
        }
        try {
            out().println(api.delete(type(), name(), parameters));
        } catch (AdminException e) {
            throw inOptions(e);
        }
        return ExitCode.DONE;
    }

    /** What the broker says with the names of its own parameters, with those of the options here. */
    public static AdminException inOptions(AdminException refused) {
        String message = String.valueOf(refused.getMessage())
                .replace("DiscardMessages=true", "--discard-messages")
                .replace("DiscardSharers=true", "--discard-sharers");
        return new AdminException(refused.exitCode(), message);
    }
}
