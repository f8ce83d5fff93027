package dev.avocet.admin.doctor;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.Patient;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.print.OutputOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code broker-admin doctor}: looks for what will make trouble. */
@Command(
        name = "doctor",
        description =
                "Looks for what makes trouble, now or later: limits, disk, clock, ports, Java, memory, permissions,"
                        + " certificates, and what is open to attackers: endpoints, profiles, directories and token servers."
                        + " Says what to do. Works also when the broker does not run. Ends with 11 when something fails.",
        mixinStandardHelpOptions = true,
        usageHelpAutoWidth = true)
public final class DoctorCommand implements Callable<Integer> {
    private final Path home;

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private ConnectionOptions connection = new ConnectionOptions();

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "the data directory, when it is on this machine (default: 'data' beside 'bin')")
    private @Nullable Path data;

    @Option(names = "--strict", description = "end with 11 for warnings too")
    private boolean strict;

    @Mixin
    private OutputOption output = new OutputOption();

    /** @param home where the distribution is */
    public DoctorCommand(Path home) {
        this.home = home;
    }

    @Override
    public Integer call() throws AdminException {
        Patient patient = Patient.of(connection.client(), home, data == null ? home.resolve("data") : data);
        List<Finding> findings = new ArrayList<>(new BrokerChecks(patient).findings());
        findings.addAll(new MachineChecks(patient).findings());
        findings.addAll(new FileChecks(patient).findings());
        PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
        if (output.isJson()) {
            out.println(
                    Documents.toJson(findings.stream().map(DoctorCommand::tree).toList()));
        } else {
            findings.forEach(finding -> print(finding, out));
        }
        Finding.Level worst =
                findings.stream().map(Finding::level).max(Enum::compareTo).orElse(Finding.Level.OK);
        boolean isBad = worst == Finding.Level.FAIL || (strict && worst == Finding.Level.WARN);
        return isBad ? ExitCode.UNHEALTHY : ExitCode.DONE;
    }

    private static void print(Finding finding, PrintWriter out) {
        String level = finding.level().name();
        out.println(level + " ".repeat(6 - level.length()) + finding.subject() + ": " + finding.found());
        if (!finding.advice().isEmpty()) {
            out.println("      -> " + finding.advice());
        }
    }

    private static Map<String, Object> tree(Finding finding) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("level", finding.level().name());
        tree.put("subject", finding.subject());
        tree.put("found", finding.found());
        tree.put("advice", finding.advice());
        return tree;
    }
}
