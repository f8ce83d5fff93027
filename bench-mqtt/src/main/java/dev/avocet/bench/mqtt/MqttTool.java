package dev.avocet.bench.mqtt;

import dev.avocet.bench.part.Tool;
import dev.avocet.bench.part.Work;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** mqttbench, for runs of several machines or harnesses. */
public final class MqttTool implements Tool {
    static final String NAME = "mqttbench";

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
        } catch (ParameterException mistake) {
            throw new IllegalArgumentException(NAME + ": " + mistake.getMessage(), mistake);
        }
        return command.work();
    }

    private static CommandLine commandLine(RunCommand command) {
        return new CommandLine(command).setOverwrittenOptionsAllowed(true);
    }
}
