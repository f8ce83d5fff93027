package dev.avocet.admin.imaserver;

import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.input.Assignment;
import dev.avocet.admin.input.PrivateFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.outcome.ExitCode;
import dev.avocet.admin.outcome.Unreadable;
import dev.avocet.admin.schema.Values;
import dev.avocet.admin.user.LdapCommands;
import dev.avocet.names.NearestName;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;

/**
 * What {@code imaserver} of MessageSight 1 does with the server itself. Class and methods are public, as picocli finds
 * inherited verbs only so, and each only once.
 */
public abstract class OldServerVerbs {
    private static final String PASSWORD = "Password";
    private static final DateTimeFormatter BACKUP_NAME =
            DateTimeFormatter.ofPattern("'imaBackup.'HHmmss-MMddyyyy", Locale.ROOT);
    private static final List<String> PARTS =
            List.of("imaserver", "mqconnectivity", "webui", "snmp", "plugin", "HighAvailability", "Cluster");
    private static final String LDAP = "LDAP";
    private static final Map<String, String> ABSENT = Map.of(
            "QueueManagerConnection", "this broker has no bridge to IBM MQ",
            "LogAutoTransfer", "this broker sends no log files; conf/logback.xml says where its log goes");

    abstract CommandSpec spec();

    @Command(name = "status", description = "Tells how the server is.", mixinStandardHelpOptions = true)
    public int status(
            @Mixin ConnectionOptions connection,
            @Parameters(
                            index = "0",
                            arity = "0..1",
                            defaultValue = "imaserver",
                            paramLabel = "Part",
                            description = "imaserver, mqconnectivity, webui, snmp or plugin")
                    String part)
            throws AdminException {
        if (PARTS.stream().noneMatch(part::equalsIgnoreCase)) {
            throw new AdminException(
                    ExitCode.USAGE, "there is no part '" + part + "'" + NearestName.advice(part, PARTS));
        }
        if (!part.equalsIgnoreCase("imaserver")) {
            print("Status", "Stopped");
            return ExitCode.DONE;
        }
        Map<String, @Nullable Object> server = server(connection);
        print("Status", server.get("StateDescription"));
        print("ServerUpTime", server.get("UpTimeDescription"));
        print("ServerTime", server.get("ServerTime"));
        String error = Values.text(server.get("ErrorMessage"));
        if (!error.isEmpty()) {
            print("ErrorMessage", error);
        }
        return ExitCode.DONE;
    }

    @Command(name = "version", description = "Tells the version of the server.", mixinStandardHelpOptions = true)
    public int version(@Mixin ConnectionOptions connection) throws AdminException {
        out().println("Avocet version is " + Values.text(server(connection).get("Version")));
        return ExitCode.DONE;
    }

    @Command(
            name = "harole",
            description = "Tells the role in a pair of servers; this broker works alone.",
            mixinStandardHelpOptions = true)
    public int haRole(@Mixin ConnectionOptions connection) throws AdminException {
        var unused = server(connection); // which says so when there is none
        print("NewRole", "HADISABLED");
        print("OldRole", "HADISABLED");
        print("ActiveNodes", "0");
        print("SyncNodes", "0");
        print("ReasonCode", "0");
        return ExitCode.DONE;
    }

    @Command(
            name = "backup",
            description =
                    "Writes the configuration, sealed with a password, into the present folder: backup \"Password=…\"."
                            + " Messages and sessions are not in it.",
            mixinStandardHelpOptions = true)
    public int backup(
            @Mixin ConnectionOptions connection,
            @Parameters(arity = "1..*", paramLabel = "Property=value", description = "Password") List<String> words)
            throws AdminException {
        OldWords given = OldWords.of(
                words,
                PASSWORD,
                List.of("StoreDestinationURL", "StoreDestinationUserID", "StoreDestinationPassword", "Name"));
        if (given.has("StoreDestinationURL")) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "StoreDestinationURL: the store is not sent anywhere; stop the broker and copy data/store");
        }
        warnOfPassword();
        Map<String, @Nullable Object> answer =
                new ServiceApi(connection.client()).post("export", Map.of(PASSWORD, given.name()));
        Path file = Path.of(
                given.text("Name", LocalDateTime.now(ZoneId.systemDefault()).format(BACKUP_NAME)));
        if (Files.exists(file)) {
            throw new AdminException(ExitCode.USAGE, file + " is there already; name another with \"Name=…\"");
        }
        PrivateFile.write(file, Base64.getDecoder().decode(Values.text(answer.get("Content"))), "Name");
        out().println("The backup file is: " + file);
        return ExitCode.DONE;
    }

    @Command(
            name = "restore",
            description = "Takes in what backup has written: restore \"Name=imaBackup.…\" \"Password=…\".",
            mixinStandardHelpOptions = true)
    public int restore(
            @Mixin ConnectionOptions connection,
            @Parameters(arity = "1..*", paramLabel = "Property=value", description = "Name and Password")
                    List<String> words)
            throws AdminException {
        OldWords given = OldWords.of(words, "Name", List.of(PASSWORD, "Appliance", "StoreSourceURL"));
        if (given.has("StoreSourceURL")) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "StoreSourceURL: the store is not fetched from anywhere; stop the broker and put data/store back");
        }
        warnOfPassword();
        Path file = Path.of(given.name());
        Map<String, Object> body = new LinkedHashMap<>();
        try {
            body.put("Content", Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
        } catch (IOException e) {
            throw new AdminException(ExitCode.USAGE, Unreadable.why(file, e));
        }
        body.put(PASSWORD, given.text(PASSWORD, ""));
        body.put("OverwriteFiles", true);
        var unused = new ServiceApi(connection.client()).post("import", body);
        out().println("The configuration of " + file + " is restored.");
        return ExitCode.DONE;
    }

    @Command(
            name = "trace",
            description = "trace flush: returns when everything that is traced is in the file.",
            mixinStandardHelpOptions = true)
    public int trace(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "flush", description = "the word flush") String what)
            throws AdminException {
        requireWord(what, List.of("flush"));
        return say(new ServiceApi(connection.client()).post("trace/flush", Map.of()));
    }

    @Command(
            name = "close",
            description = "close connection: ends connections: close connection \"ClientID=plant*\".",
            mixinStandardHelpOptions = true)
    public int close(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "connection", description = "the word connection") String what,
            @Parameters(
                            index = "1..*",
                            arity = "1..*",
                            paramLabel = "Property=value",
                            description = "ClientID, ClientAddress and UserID; * stands for any characters")
                    List<String> words)
            throws AdminException {
        requireWord(what, List.of("connection"));
        Map<String, String> whose = new LinkedHashMap<>();
        for (String word : words) {
            Assignment said = Assignment.parse(word);
            whose.put(said.name(), said.value());
        }
        return say(new ServiceApi(connection.client()).post("close/connection", whose));
    }

    @Command(
            name = "purge",
            description =
                    "purge message \"Name=orders\": deletes the messages of a queue that no receiver has at the moment.",
            mixinStandardHelpOptions = true)
    public int purge(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "message", description = "the word message") String what,
            @Parameters(
                            index = "1..*",
                            arity = "0..*",
                            paramLabel = "Property=value",
                            description = "Name of the queue")
                    @Nullable List<String> words)
            throws AdminException {
        if (what.equals("log")) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "the broker keeps no log files of its own; conf/logback.xml says where its log goes");
        }
        requireWord(what, List.of("message", "log"));
        OldWords given = OldWords.of(words == null ? List.of() : words, "Name", List.of());
        return say(new ServiceApi(connection.client())
                .post("queue/" + ServiceApi.encoded(given.name()) + "/purge", Map.of()));
    }

    @Command(
            name = "test",
            description = "Tests the connection to the LDAP server; the broker has no others.",
            mixinStandardHelpOptions = true)
    public int test(
            @Mixin ConnectionOptions connection,
            @Parameters(
                            index = "0",
                            paramLabel = "ObjectType",
                            description = "LDAP, QueueManagerConnection or LogAutoTransfer")
                    String type,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "Property=value", description = "not looked at")
                    @Nullable List<String> words)
            throws AdminException {
        if (type.equals(LDAP)) {
            Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post("ldap/test", Map.of());
            LdapCommands.print(answer, spec().commandLine().getOut());
            return LdapCommands.exitCode(answer);
        }
        String why = ABSENT.get(type);
        if (why == null) {
            List<String> known = new ArrayList<>(ABSENT.keySet());
            known.add(LDAP);
            throw new AdminException(
                    ExitCode.USAGE,
                    "there is nothing to test of type '" + type + "'" + NearestName.advice(type, known));
        }
        throw new AdminException(ExitCode.REFUSED, "there is nothing to test: " + why);
    }

    @Command(
            name = "runmode",
            description =
                    "runmode production|maintenance: whether clients are served. Acts at once, and outlives a restart.",
            mixinStandardHelpOptions = true)
    public int runMode(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", paramLabel = "MODE", description = "production or maintenance") String mode)
            throws AdminException {
        if (mode.equals("clean_store")) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "an empty store needs a restart at once: broker-admin service restart --clean-store");
        }
        requireWord(mode, List.of("production", "maintenance"));
        return say(new ServiceApi(connection.client())
                .post("maintenance", Map.of("Maintenance", mode.equals("maintenance") ? "start" : "stop")));
    }

    @Command(
            name = "stop",
            description = "Stops the server, in good order, with force or without.",
            mixinStandardHelpOptions = true)
    public int stop(
            @Mixin ConnectionOptions connection,
            @Parameters(index = "0", arity = "0..1", paramLabel = "force", description = "makes no difference")
                    @Nullable String how)
            throws AdminException {
        if (how != null) {
            requireWord(how, List.of("force"));
        }
        return say(new ServiceApi(connection.client()).post("stop", Map.of("Service", "Server")));
    }

    @Command(
            name = "start",
            description = "Says whether the server runs; starting it is for the operating system.",
            mixinStandardHelpOptions = true)
    public int start(@Mixin ConnectionOptions connection) throws AdminException {
        try {
            print("Status", server(connection).get("StateDescription"));
            return ExitCode.DONE;
        } catch (AdminException e) {
            if (e.exitCode() == ExitCode.UNREACHABLE) {
                throw new AdminException(
                        e.exitCode(), e.getMessage() + "; start it with bin/broker, or 'systemctl start avocet'");
            }
            throw e;
        }
    }

    private static Map<String, @Nullable Object> server(ConnectionOptions connection) throws AdminException {
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).get("status/Server", Map.of());
        return answer.get("Server") instanceof Map<?, ?> members ? ConfigurationView.copyOf(members) : Map.of();
    }

    private static void requireWord(String given, List<String> words) throws AdminException {
        if (!words.contains(given)) {
            throw new AdminException(
                    ExitCode.USAGE,
                    "say " + String.join(" or ", words) + ", not '" + given + "'" + NearestName.advice(given, words));
        }
    }

    private void warnOfPassword() {
        spec().commandLine()
                .getErr()
                .println("broker-admin: caution: every user of this machine can read a password that is an argument;"
                        + " 'broker-admin export --encrypted' and 'import' take it from a file");
    }

    private int say(Map<String, @Nullable Object> answer) {
        out().println(Values.text(answer.get("Message")));
        return ExitCode.DONE;
    }

    private void print(String name, @Nullable Object value) {
        out().println(name + " = " + Values.text(value));
    }

    private PrintWriter out() {
        return spec().commandLine().getOut();
    }
}
