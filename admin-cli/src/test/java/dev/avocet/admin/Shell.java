package dev.avocet.admin;

import dev.avocet.admin.store.BrokerProgram;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs the program in this process. */
final class Shell {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final String url;

    Shell(FakeAdminApi api) {
        this(api.url());
    }

    Shell(String url) {
        this.url = url;
    }

    /** Runs a command against the broker and returns its exit code. */
    int run(String... arguments) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", url));
        return Main.commandLine(
                        new BrokerProgram(Path.of("none")),
                        new PrintWriter(out, true),
                        new PrintWriter(err, true),
                        all::contains)
                .execute(all.toArray(String[]::new));
    }

    String out() {
        return out.toString();
    }

    String err() {
        return err.toString();
    }
}
