package dev.avocet.admin.message;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.ObjectFormatOption;
import dev.avocet.admin.print.RowPrinter;
import dev.avocet.admin.schema.Values;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code broker-admin transaction}: global transactions whose coordinator does not end them. */
@Command(
        name = "transaction",
        description = "Lists global transactions that are in doubt, and ends them in the place of their coordinator.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class TransactionCommand implements Runnable {
    private static final String PATH = "Transaction";
    private static final String XID = "XID";
    private static final String WHICH = "as 'list' shows it";
    private static final List<String> COLUMNS = List.of(XID, "TranState", "UserID", "Messages", "Acknowledgements");

    @Spec
    private @Nullable CommandSpec spec;

    /** Which transactions. */
    enum State {
        ALL("All"),
        PREPARED("Prepared"),
        HEURISTIC("Heuristic"),
        HEURISTIC_COMMIT("HeuristicCommit"),
        HEURISTIC_ROLLBACK("HeuristicRollback");

        private final String word;

        State(String word) {
            this.word = word;
        }
    }

    @Override
    public void run() {
        throw new ParameterException(spec().commandLine(), "say what to do: list, commit, rollback or forget");
    }

    @Command(
            name = "list",
            description = "Lists what is in doubt, and what administrators have decided since the broker started.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int list(
            @Mixin ConnectionOptions connection,
            @Option(
                            names = "--xid",
                            paramLabel = "PATTERN",
                            defaultValue = "",
                            description = "the identifier, in which * stands for any characters")
                    String xid,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            defaultValue = "all",
                            description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
                    State state,
            @Mixin ObjectFormatOption output)
            throws AdminException {
        List<Map<String, @Nullable Object>> found =
                new ServiceApi(connection.client()).list(PATH, Map.of(XID, xid, "TranState", state.word));
        new RowPrinter(output.format(), List.of(XID), out()).several(found, COLUMNS);
        return ExitCode.DONE;
    }

    @Command(
            name = "commit",
            description =
                    "Commits a prepared transaction. Its coordinator may have decided otherwise for its other branches.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int commit(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = XID, description = WHICH) String xid)
            throws AdminException {
        return end(connection, "commit", xid);
    }

    @Command(
            name = "rollback",
            description =
                    "Rolls a prepared transaction back. Its coordinator may have decided otherwise for its other branches.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int rollback(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = XID, description = WHICH) String xid)
            throws AdminException {
        return end(connection, "rollback", xid);
    }

    @Command(
            name = "forget",
            description = "Has the broker forget what an administrator has decided.",
            mixinStandardHelpOptions = true,
            usageHelpAutoWidth = true)
    int forget(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = XID, description = WHICH) String xid)
            throws AdminException {
        return end(connection, "forget", xid);
    }

    private int end(ConnectionOptions connection, String how, String xid) throws AdminException {
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post(how + "/transaction", Map.of(XID, xid));
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }

    private CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }
}
