package dev.avocet.admin.client;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which clients and retained messages a command is about. */
final class ClientSetOption {
    static final String HELP =
            " A JMS client is found as jms: and its client identifier. A regular expression fits what"
                    + " it is found anywhere in; ^ and $ bind it to the beginning and the end.";

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--client-id",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "the clients; none without it")
    private String clientId = "";

    @Option(
            names = "--retain",
            paramLabel = "REGEX",
            defaultValue = "",
            description = "the topics of the retained messages; none without it")
    private String retain = "";

    /** Puts both expressions among what a request says; one of them must be given. */
    void addTo(Map<String, ? super String> request) {
        if (clientId.isEmpty() && retain.isEmpty()) {
            throw new ParameterException(
                    Objects.requireNonNull(command).commandLine(), "give --client-id or --retain, or both");
        }
        request.put("ClientID", clientId);
        request.put("Retain", retain);
    }
}
