package dev.avocet.bench.jms.command;

import dev.avocet.bench.jms.client.UnusableClientException;
import dev.avocet.bench.part.Tool;
import dev.avocet.bench.part.Work;
import dev.avocet.bench.workload.WorkloadException;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** jmsbench, for runs of several machines or harnesses. */
public final class JmsTool implements Tool {
    static final String NAME = "jmsbench";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean knows(String option) {
        return commandLine(new RunCommand()).getCommandSpec().optionsMap().containsKey(option);
    }

    @Override
    public Work read(List<String> options) {
        RunCommand command = new RunCommand();
        try {
            commandLine(command).parseArgs(options.toArray(String[]::new));
            return command.work(options);
        } catch (ParameterException | WorkloadException | UnusableClientException mistake) {
            throw new IllegalArgumentException(NAME + ": " + mistake.getMessage(), mistake);
        }
    }

    private static CommandLine commandLine(RunCommand command) {
        return new CommandLine(command).setExpandAtFiles(false).setCaseInsensitiveEnumValuesAllowed(true);
    }
}
