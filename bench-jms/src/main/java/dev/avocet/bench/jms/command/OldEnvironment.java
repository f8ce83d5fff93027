package dev.avocet.bench.jms.command;

import static java.util.Locale.ROOT;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the reference harness read from its environment, as options of ours. What the command line says itself outweighs
 * it; an empty variable is none.
 */
final class OldEnvironment {
    private static final String SERVER = "IMAServer";
    private static final String PORT = "IMAPort";
    private static final String TRANSPORT = "IMATransport";
    private static final String SECURE = "UseSecureConn";
    private static final String OLD_PORT = "16102";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})([kKmM]?)");
    private static final String TLS = "avocets://";

    private static final Map<String, String> NOT_HERE = Map.ofEntries(
            Map.entry("IMAServerSets", "name each broker with --target; each has all clients and its part of the rate"),
            Map.entry(
                    "ACKInterval",
                    "the reference harness did not read it either; it is AckInterval, or --acknowledge-every"),
            Map.entry("Password", "others can see it there; write it to a file and give --password-file"),
            Map.entry("RecvBufferSize", "the client reads what the socket holds"),
            Map.entry("LOADBAL", "each broker of --target has the same part of the rate"),
            Map.entry("PipeCommands", "jmsbench takes no commands while it runs"),
            Map.entry("GraphiteIP", "give --csv or --json"),
            Map.entry("GraphitePort", "give --csv or --json"),
            Map.entry("GraphiteMetricRoot", "give --csv or --json"));

    private static final Map<String, String> NOT_WITH_TLS = Map.of(
            "SSLClientMeth", "give --property tlsProtocols=TLSv1.2, or TLSv1.3",
            "SSLCipher", "give --property cipherSuites= and the names that Java has for them");

    private final List<String> arguments;
    private final Map<String, String> environment;
    private final List<String> options = new ArrayList<>();

    private OldEnvironment(List<String> arguments, Map<String, String> environment) {
        this.arguments = arguments;
        this.environment = environment;
    }

    /**
     * What the environment adds to these arguments of the program.
     *
     * @throws IllegalArgumentException for what has no counterpart here
     */
    static List<String> options(List<String> arguments, Map<String, String> environment) {
        if (arguments.isEmpty() || !arguments.get(0).equals(RunCommand.COMMAND) || arguments.contains("--help")) {
            return List.of();
        }
        return new OldEnvironment(arguments, environment).options();
    }

    private List<String> options() {
        NOT_HERE.keySet().stream().sorted().forEach(name -> refuse(name, NOT_HERE.get(name)));
        boolean isSecure = isSecure();
        if (isSecure) {
            NOT_WITH_TLS.keySet().stream().sorted().forEach(name -> refuse(name, NOT_WITH_TLS.get(name)));
        }
        addTarget(isSecure);
        addFlag("DisableACK", "--disable-ack");
        add("ClientMessageCache", "--client-message-cache");
        add("AckInterval", "--acknowledge-every");
        add("Username", "--user");
        if (value("AsyncSend") != null) {
            addProperty("asyncTransactionSend", String.valueOf(flag("AsyncSend")));
        }
        addProperty("recvSockBuffer", bytes("RecvSockBuffer"));
        addProperty("sendSockBuffer", bytes("SendSockBuffer"));
        return options;
    }

    private @Nullable String value(String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private void refuse(String name, String advice) {
        if (value(name) != null) {
            throw new IllegalArgumentException(String.format(
                    ROOT, "the environment has %s, which has no counterpart: unset it; %s", name, advice));
        }
    }

    private boolean isSecure() {
        String transport = value(TRANSPORT);
        if (transport != null && !transport.equals("tcp") && !transport.equals("tcps")) {
            throw mistake(TRANSPORT, transport, "tcp or tcps");
        }
        return "tcps".equals(transport) || flag(SECURE);
    }

    private void addTarget(boolean isSecure) {
        String server = value(SERVER);
        if (isGiven("--target")) {
            if (isSecure && arguments.stream().noneMatch(argument -> argument.contains("s://"))) {
                throw mistake(SECURE + " or " + TRANSPORT, "TLS", "say so in --target too: " + TLS + "HOST:PORT");
            }
        } else if (server != null) {
            String port = value(PORT);
            if (server.contains(",") || (port != null && port.contains(","))) {
                throw mistake(
                        SERVER,
                        server,
                        "connections went to several in turn there; with --target each has all clients");
            }
            String host = server.contains(":") && !server.startsWith("[") ? "[" + server + "]" : server;
            options.add("--target=" + (isSecure ? TLS : "") + host + ":" + (port == null ? OLD_PORT : port));
        }
    }

    private void add(String name, String option) {
        String value = value(name);
        if (value != null && !isGiven(option)) {
            options.add(option + "=" + value);
        }
    }

    private void addFlag(String name, String option) {
        if (flag(name) && !isGiven(option) && !isGiven(option.replaceFirst("--", "--no-"))) {
            options.add(option);
        }
    }

    private void addProperty(String property, @Nullable String value) {
        boolean isSaid = arguments.stream()
                .anyMatch(argument -> argument.toLowerCase(ROOT).contains(property.toLowerCase(ROOT) + "="));
        if (value != null && !isSaid) {
            options.add("--property=" + property + "=" + value);
        }
    }

    /** A size may end in K or M. */
    private @Nullable String bytes(String name) {
        String value = value(name);
        if (value == null) {
            return null;
        }
        Matcher size = SIZE.matcher(value);
        if (!size.matches()) {
            throw mistake(name, value, "bytes, such as 65536, 64K or 1M");
        }
        int doublings = size.group(2).isEmpty() ? 0 : size.group(2).equalsIgnoreCase("k") ? 10 : 20;
        return String.valueOf(Long.parseLong(size.group(1)) << doublings);
    }

    private boolean flag(String name) {
        String value = value(name);
        if (value == null) {
            return false;
        }
        return switch (value) {
            case "0", "false" -> false;
            case "1", "true" -> true;
            default -> throw mistake(name, value, "0 or 1");
        };
    }

    /** Also for one harness of two: {@code --jms:target}. */
    private boolean isGiven(String option) {
        String name = option.substring(2);
        return arguments.stream().anyMatch(argument -> argument.matches("--(jms:|mqtt:)?" + name + "(=.*)?"));
    }

    private static IllegalArgumentException mistake(String name, String value, String rule) {
        return new IllegalArgumentException(String.format(ROOT, "the environment has %s '%s': %s", name, value, rule));
    }
}
