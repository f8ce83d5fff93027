package dev.avocet.admin;

import dev.avocet.admin.schema.TypeSchema;
import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;

/** {@code delete}: one object. */
final class DeleteVerb extends ObjectVerb {
    private final OptionSpec dryRun = flag("--dry-run", "looks whether it is there, and deletes nothing");
    private final OptionSpec discardMessages =
            flag("--discard-messages", "even when messages wait in it; they are lost");
    private final OptionSpec discardSharers = flag("--discard-sharers", "even when clients share it; they are cut off");

    DeleteVerb(TypeSchema type) {
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
    static AdminException inOptions(AdminException refused) {
        String message = String.valueOf(refused.getMessage())
                .replace("DiscardMessages=true", "--discard-messages")
                .replace("DiscardSharers=true", "--discard-sharers");
        return new AdminException(refused.exitCode(), message);
    }
}
