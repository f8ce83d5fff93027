package dev.avocet.server.rest.service;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.core.time.Clock;
import dev.avocet.core.time.SystemClock;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RegularExpression;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import dev.avocet.server.transfer.ClientSetTransfers;
import dev.avocet.server.transfer.ClientSetTransfers.Wanted;
import dev.avocet.server.transfer.TransferStatus;
import dev.avocet.server.transfer.TransferStatus.State;
import dev.avocet.server.transfer.TransferStatus.TransferKind;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Takes sets of clients out of this broker, and into it, in files that a password seals. */
public final class TransferRequests {
    private static final Set<AdminAction> SERVE = Set.of(AdminAction.CONFIGURE, AdminAction.MANAGE);
    private static final String FILE_NAME = ExportBody.FILE_NAME;
    private static final String PASSWORD = ExportBody.PASSWORD;
    private static final String CLIENT_ID = "ClientID";
    private static final String RETAIN = "Retain";
    private static final String FORCE = "Force";
    private static final String REQUEST_ID = "RequestID";
    private static final Map<String, Object> FLAG = Map.of("type", "boolean");

    private final PresentBroker broker;
    private final ExportFolder folder;
    private final AuditLog audit;
    private final Clock clock = new SystemClock();

    /**
     * @param broker null while none serves clients
     * @param dataDirectory where files lie; null when there are none
     */
    public TransferRequests(PresentBroker broker, Supplier<@Nullable Path> dataDirectory, AuditLog audit) {
        this.broker = broker;
        this.folder = new ExportFolder(dataDirectory);
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                                HandlerType.POST,
                                "/service/export/ClientSet",
                                "Begins to write the sessions whose clients the regular expression ClientID fits, with their"
                                        + " subscriptions and what waits for them, and the retained messages whose topics the"
                                        + " regular expression Retain fits, into data/export/FileName, sealed with Password. The"
                                        + " clients must be away; with Force they are disconnected first. Answers with a RequestID",
                                SERVE,
                                this::export)
                        .bringing(RouteBody.of(
                                Map.of(
                                        FILE_NAME, RouteBody.TEXT,
                                        PASSWORD, RouteBody.TEXT,
                                        CLIENT_ID, RouteBody.TEXT,
                                        RETAIN, RouteBody.TEXT,
                                        FORCE, FLAG),
                                List.of(FILE_NAME, PASSWORD)))
                        .beginning(),
                new RestRoute(
                                HandlerType.POST,
                                "/service/import/ClientSet",
                                "Begins to take in what data/export/FileName holds, which Password opens. Nothing is changed when the"
                                        + " file is not as it was made, or when one of its clients has a session here. Answers with a"
                                        + " RequestID",
                                SERVE,
                                this::take)
                        .bringing(RouteBody.of(
                                Map.of(FILE_NAME, RouteBody.TEXT, PASSWORD, RouteBody.TEXT),
                                List.of(FILE_NAME, PASSWORD)))
                        .beginning(),
                status("/service/status/export/ClientSet/{RequestID}", TransferKind.EXPORT),
                status("/service/status/import/ClientSet/{RequestID}", TransferKind.IMPORT),
                new RestRoute(
                        HandlerType.DELETE,
                        "/service/export/ClientSet/{RequestID}",
                        "Deletes the file of an export that is over, and forgets the request",
                        SERVE,
                        (context, who) -> delete(context, who, TransferKind.EXPORT)),
                new RestRoute(
                        HandlerType.DELETE,
                        "/service/import/ClientSet/{RequestID}",
                        "Forgets the request of an import that is over; its file stays",
                        SERVE,
                        (context, who) -> delete(context, who, TransferKind.IMPORT)));
    }

    private RestRoute status(String path, TransferKind kind) {
        return new RestRoute(
                HandlerType.GET,
                path,
                "How far the " + kind.name().toLowerCase(Locale.ROOT)
                        + " of a client set is: State is InProgress, Completed or Failed",
                Set.of(),
                (context, who) -> Answer.objects(context, Map.of("ClientSet", facts(found(context, kind)))));
    }

    private void export(Context context, Administrator who) throws Refusal {
        ExportBody body = ExportBody.of(context, Set.of(FILE_NAME, PASSWORD, CLIENT_ID, RETAIN, FORCE));
        String clientId = body.text(CLIENT_ID);
        String retain = body.text(RETAIN);
        if (clientId.isEmpty() && retain.isEmpty()) {
            throw new Refusal(
                    Code.INVALID, "give ClientID or Retain, each a regular expression; ^ stands for all of them");
        }
        Path file = folder.file(body.fileName());
        if (Files.exists(file)) {
            throw ExportFolder.fileThere(body.fileName());
        }
        Wanted wanted = new Wanted(
                clientId, expression(CLIENT_ID, clientId), retain, expression(RETAIN, retain), body.flag(FORCE, false));
        begun(context, transfers().beginExport(file, body.password(broker.get()), wanted));
        audit.did(
                who,
                "began to export the client set of ClientID '" + clientId + "' and Retain '" + retain + "' to "
                        + file.getFileName());
    }

    private void take(Context context, Administrator who) throws Refusal {
        ExportBody body = ExportBody.of(context, Set.of(FILE_NAME, PASSWORD));
        Path file = folder.file(body.fileName());
        if (!Files.isRegularFile(file)) {
            throw ExportFolder.noFile(body.fileName());
        }
        begun(context, transfers().beginImport(file, body.password(broker.get())));
        audit.did(who, "began to import the client set " + file.getFileName());
    }

    private static void begun(Context context, @Nullable TransferStatus begun) throws Refusal {
        if (begun == null) {
            throw new Refusal(Code.NOT_NOW, "too many exports and imports of client sets are going on");
        }
        Answer.done(
                context,
                Code.BEGUN,
                "Request " + begun.id() + " has begun.",
                Map.of(REQUEST_ID, begun.id(), "ClientSet", facts(begun)));
    }

    private void delete(Context context, Administrator who, TransferKind kind) throws Refusal {
        TransferStatus status = found(context, kind);
        if (status.state() == State.IN_PROGRESS) {
            throw new Refusal(Code.IN_USE, "request " + status.id() + " is not over yet");
        }
        try {
            transfers().delete(status, folder.file(status.file()));
        } catch (IOException e) {
            throw new Refusal(Code.NOT_NOW, "the disk refused it: " + e.getMessage());
        }
        String what = "deleted the " + kind.name().toLowerCase(Locale.ROOT) + " " + status.id() + " of a client set";
        audit.did(who, what);
        Answer.done(context, Code.DONE, "Done: " + what + ".", Map.of());
    }

    private TransferStatus found(Context context, TransferKind kind) throws Refusal {
        String id = context.pathParam(REQUEST_ID);
        RunningBroker running = broker.get();
        ClientSetTransfers transfers = running == null ? null : running.transfers();
        TransferStatus found =
                transfers != null && id.matches("[0-9]{1,18}") ? transfers.find(kind, Long.parseLong(id)) : null;
        if (found == null) {
            throw new Refusal(Code.NOT_FOUND, "there is no request " + id);
        }
        return found;
    }

    private static Map<String, Object> facts(TransferStatus status) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put(REQUEST_ID, status.id());
        facts.put(FILE_NAME, status.file());
        if (status.kind() == TransferKind.EXPORT) {
            facts.put(CLIENT_ID, status.clientId());
            facts.put(RETAIN, status.retain());
        }
        facts.put("State", status.state().toString());
        facts.put("StartTime", status.begun().toString());
        if (status.ended() != null) {
            facts.put("EndTime", status.ended().toString());
        }
        facts.put("Message", status.message());
        facts.put("Sessions", status.counts().sessions());
        facts.put("Subscriptions", status.counts().subscriptions());
        facts.put("Messages", status.counts().messages());
        facts.put("Retained", status.counts().retained());
        facts.put("Diagnostics", status.diagnostics());
        return facts;
    }

    /** Nothing fits an empty expression, which was not given. */
    private Predicate<String> expression(String name, String text) throws Refusal {
        return text.isEmpty() ? value -> false : RegularExpression.of(name, text, clock);
    }

    private ClientSetTransfers transfers() throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        ClientSetTransfers transfers = running.transfers();
        if (transfers == null) {
            throw new Refusal(
                    Code.NOT_AS_CONFIGURED,
                    "this broker keeps nothing on disk (store.mode), so that it has no sessions that could move");
        }
        return transfers;
    }
}
