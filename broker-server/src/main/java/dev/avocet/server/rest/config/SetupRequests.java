package dev.avocet.server.rest.config;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.avocet.core.config.ChangeReader;
import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.time.SystemClock;
import dev.avocet.core.tls.key.SelfSigned;
import dev.avocet.core.tls.key.TlsException;
import dev.avocet.server.broker.BrokerUsers;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.certificates.FileRefusedException;
import dev.avocet.server.certificates.UploadedFile;
import dev.avocet.server.certificates.UploadedFiles;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStore.Step;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import dev.avocet.server.setup.SetupObjects;
import dev.avocet.server.setup.SetupWishes;
import dev.avocet.server.users.UserDirectoryException;
import dev.avocet.server.users.UserEntry;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives a running broker the first configuration that {@code broker-admin init} gives one that does not run. */
public final class SetupRequests {
    public static final String PATH = "/service/setup";
    public static final String CHECK = PATH + "/check";

    private static final Logger LOG = LoggerFactory.getLogger(SetupRequests.class);
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final Duration CERTIFICATE_GOOD_FOR = Duration.ofDays(365);
    private static final int MOST_QUEUES = 100;

    private final ConfigurationStore objects;
    private final PresentBroker broker;
    private final ChangeAnswer answer;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public SetupRequests(ConfigurationStore objects, PresentBroker broker, ChangeAnswer answer, AuditLog audit) {
        this.objects = objects;
        this.broker = broker;
        this.answer = answer;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        RouteBody body = RouteBody.of(SetupBody.schema(), SetupBody.REQUIRED);
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        PATH,
                        "Whether an administrator has configured anything yet",
                        READ,
                        (context, who) -> Answer.objects(context, Map.of("Configured", isConfigured()))),
                new RestRoute(
                                HandlerType.POST,
                                CHECK,
                                "Says what the setup would make different, and which files and user it would make; changes"
                                        + " nothing",
                                WRITE,
                                this::check)
                        .bringing(body),
                new RestRoute(
                                HandlerType.POST,
                                PATH,
                                "Makes an endpoint with TLS and passwords, policies, queues, a first user, and the password"
                                        + " of the administration, as broker-admin init does",
                                WRITE,
                                this::carryOut)
                        .bringing(body));
    }

    /** What the broker has changed itself has no address. */
    private boolean isConfigured() throws ConfigurationStoreException {
        return objects.history().stream()
                .anyMatch(note ->
                        note.origin() == null || !note.origin().address().isEmpty());
    }

    private void check(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Plan plan = plan(context);
        long expected = Preconditions.expectedVersion(context);
        Step step = plan.made.isEmpty()
                ? objects.check(plan.changes, expected)
                : new Step(objects.check(List.of(), expected).before(), objects.preview(plan.changes));
        ChangeAnswer.preview(context, step, plan.alsoMade());
    }

    private void carryOut(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Plan plan = plan(context);
        long expected = Preconditions.expectedVersion(context);
        var unusedStep = objects.check(List.of(), expected);
        var unusedPreview = objects.preview(plan.changes); // before anything is made
        try {
            make(plan);
            Step step = objects.make(plan.changes, expected, who.origin("setup"));
            audit.did(
                    who,
                    "created user '" + plan.wishes.user() + "'"
                            + plan.made.keySet().stream()
                                    .map(name -> ", made file '" + name + "'")
                                    .collect(Collectors.joining()));
            answer.write(context, who, step, List.of());
        } catch (ConfigurationRefusedException | ConfigurationStoreException | Refusal e) {
            undo(plan);
            throw e;
        }
    }

    private void make(Plan plan) throws Refusal {
        try {
            for (Map.Entry<String, String> file : plan.made.entrySet()) {
                plan.files.put(file.getKey(), file.getValue().getBytes(US_ASCII));
                plan.done.add(file.getKey());
            }
            plan.users
                    .directory()
                    .addUser(plan.wishes.user(), plan.wishes.userPassword().toCharArray(), List.of());
            plan.userIsMade = true;
        } catch (FileRefusedException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        } catch (UserDirectoryException e) {
            throw new Refusal(
                    e.reason() == UserDirectoryException.Reason.INVALID ? Code.INVALID : Code.NOT_NOW,
                    String.valueOf(e.getMessage()));
        }
    }

    private static void undo(Plan plan) {
        try {
            for (String file : plan.done) {
                plan.files.delete(file);
            }
            if (plan.userIsMade) {
                plan.users.directory().deleteUser(plan.wishes.user());
            }
        } catch (FileRefusedException | UserDirectoryException e) {
            LOG.warn("What a refused setup had made could not be taken away: {}", e.getMessage());
        }
    }

    private Plan plan(Context context) throws Refusal, ConfigurationRefusedException {
        RunningBroker running = broker.get();
        UploadedFiles files = running == null ? null : running.files();
        if (running == null || files == null) {
            throw broker.absent();
        }
        BrokerUsers users = running.users();
        if (users == null) {
            throw new Refusal(Code.NOT_IMPLEMENTED, "this broker keeps no users");
        }
        SetupBody body = SetupBody.of(context);
        List<ConfigurationProblem> problems = body.problems(MOST_QUEUES);
        if (isUser(users, body.user())) {
            problems.add(SetupBody.problem(SetupBody.USER, "'" + body.user() + "' is a user already; name another"));
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationRefusedException(problems);
        }
        Map<String, String> made = new LinkedHashMap<>();
        String certificate = body.certificate();
        String key = body.key();
        if (certificate.isEmpty()) {
            String name = freeName(files);
            certificate = name + ".pem";
            key = name + ".key";
            SelfSigned pair = selfSigned(body.hostName());
            made.put(certificate, pair.certificate());
            made.put(key, pair.key());
        }
        SetupWishes wishes = body.wishes();
        Configuration current = objects.current();
        List<ConfigurationChange> changes = ChangeReader.read(SetupObjects.of(wishes, certificate, key)).stream()
                .filter(change -> !isOfMissingSample(change, current))
                .toList();
        return new Plan(wishes, changes, made, files, users, certificate);
    }

    /** The samples are disabled where they are still there. */
    private static boolean isOfMissingSample(ConfigurationChange change, Configuration current) {
        return change instanceof ConfigurationChange.Put put
                && SetupObjects.SAMPLES.contains(put.key().name())
                && current.find(put.key()).isEmpty();
    }

    private static boolean isUser(BrokerUsers users, String name) {
        return Stream.concat(users.directory().users().stream().map(UserEntry::name), users.ofStartupFile().stream())
                .anyMatch(name::equals);
    }

    private static SelfSigned selfSigned(String hostName) throws Refusal, ConfigurationRefusedException {
        try {
            return SelfSigned.of(hostName, CERTIFICATE_GOOD_FOR, Instant.ofEpochMilli(new SystemClock().wallTimeMs()));
        } catch (TlsException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationRefusedException(
                    List.of(SetupBody.problem(SetupBody.HOST_NAME, "is neither a host name nor an IP address")));
        }
    }

    /** So that no file is replaced that something else uses. */
    private static String freeName(UploadedFiles files) throws Refusal {
        try {
            Set<String> taken = files.all().stream().map(UploadedFile::name).collect(Collectors.toSet());
            return Stream.iterate(1, number -> number + 1)
                    .map(number -> number == 1 ? "server" : "server-" + number)
                    .filter(name -> !taken.contains(name + ".pem") && !taken.contains(name + ".key"))
                    .findFirst()
                    .orElseThrow();
        } catch (FileRefusedException e) {
            throw new Refusal(Code.NOT_NOW, String.valueOf(e.getMessage()));
        }
    }

    /** What is to be done, and how much of it is done. */
    private static final class Plan {
        private final SetupWishes wishes;
        private final List<ConfigurationChange> changes;
        private final Map<String, String> made;
        private final UploadedFiles files;
        private final BrokerUsers users;
        private final String certificate;
        private final List<String> done = new ArrayList<>();
        private boolean userIsMade;

        /** @param made the contents of new files by name; empty where uploaded ones are used */
        Plan(
                SetupWishes wishes,
                List<ConfigurationChange> changes,
                Map<String, String> made,
                UploadedFiles files,
                BrokerUsers users,
                String certificate) {
            this.wishes = wishes;
            this.changes = changes;
            this.made = made;
            this.files = files;
            this.users = users;
            this.certificate = certificate;
        }

        List<String> alsoMade() {
            List<String> also = new ArrayList<>();
            also.add("The user '" + wishes.user() + "' is created.");
            if (!made.isEmpty()) {
                also.add("The files " + String.join(" and ", made.keySet())
                        + " are made: a certificate that signs itself and is good for a year, and its key. Clients need "
                        + certificate + " to trust the broker.");
            }
            also.add("From then on the administration asks for the name and the password of an administrator.");
            return also;
        }
    }
}
