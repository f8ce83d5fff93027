package dev.avocet.admin.object;

import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ObjectChange;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.StaleException;
import dev.avocet.admin.schema.TypeSchema;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates or updates an object, and never the one for the other even when another administrator does so meanwhile. */
public final class ObjectChanger {
    private final ConfigurationApi api;
    private final TypeSchema type;
    private final int attempts;
    private List<String> problems = List.of();

    /** @param attempts how often it looks again after another administrator was quicker */
    public ObjectChanger(ConfigurationApi api, TypeSchema type, int attempts) {
        this.api = api;
        this.type = type;
        this.attempts = attempts;
    }

    /** Makes the change, or has the broker check it and changes nothing; returns what it is. */
    public ObjectChange change(String name, Map<String, Object> given, boolean isNew, boolean isDryRun)
            throws AdminException {
        TypeAccess access = new TypeAccess(api, type);
        for (int attempt = 1; ; attempt++) {
            ConfigurationView view = access.view();
            ObjectChange change = planned(access, view, name, given, isNew);
            try {
                if (isDryRun) {
                    api.check(access.body(name, given), List.of(), view.version());
                } else {
                    problems = api.change(access.body(name, given), view.version());
                }
                return change;
            } catch (StaleException e) {
                if (attempt == attempts) {
                    throw e;
                }
            }
        }
    }

    /** What it would be, as far as this program knows. */
    ObjectChange planned(String name, Map<String, Object> given, boolean isNew) throws AdminException {
        TypeAccess access = new TypeAccess(api, type);
        return planned(access, access.view(), name, given, isNew);
    }

    /** Tells what does not work since the change, and returns the exit code that says so. */
    public int tellProblems(PrintWriter err) {
        problems.forEach(problem -> err.println("broker-admin: warning: " + problem));
        return problems.isEmpty() ? ExitCode.DONE : ExitCode.WITHOUT_EFFECT;
    }

    private ObjectChange planned(
            TypeAccess access, ConfigurationView view, String name, Map<String, Object> given, boolean isNew)
            throws AdminException {
        if (!isNew) {
            Map<String, @Nullable Object> before = access.existing(view, name);
            return ObjectChange.update(type, name, before, given);
        }
        if (access.isIn(view, name)) {
            throw new AdminException(
                    ExitCode.CONFLICT,
                    type.called(name) + " exists already; change it with 'broker-admin " + type.noun() + " update'");
        }
        return ObjectChange.create(type, name, given);
    }
}
