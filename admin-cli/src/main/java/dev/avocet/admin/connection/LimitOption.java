package dev.avocet.admin.connection;

import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** How much of a long list is shown. */
public final class LimitOption {
    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "1000",
            description = "show so many at most; 0 for all of them (default: ${DEFAULT-VALUE})")
    private int limit = 1_000;

    public int limit() throws AdminException {
        if (limit < 0) {
            throw new AdminException(ExitCode.USAGE, "--limit is 0 or more, not " + limit);
        }
        return limit;
    }

    /** Says, beside the list, that it has an end only here. */
    public static void warn(ServiceApi.Listing listing, PrintWriter err) {
        if (listing.rows().size() < listing.total()) {
            err.println("broker-admin: these are " + listing.rows().size() + " of " + listing.total()
                    + "; --limit 0 shows all");
        }
    }
}
