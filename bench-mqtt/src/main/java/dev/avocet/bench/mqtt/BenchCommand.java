package dev.avocet.bench.mqtt;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program without a command. */
@Command(
        name = "mqttbench",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Measures MQTT servers with many clients, and checks every message.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:PASSED: the server did all that was asked of it",
            "1:FAILED: a message was lost, doubled, late or damaged, the rate was missed, or connections failed",
            "2:the command line is wrong, or a file cannot be written",
            "3:INVALID: the harness could not do its part",
            "70:a mistake in this program"
        })
final class BenchCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
