package dev.avocet.server.rest.config;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.ConfigurationChange.DeleteOption;
import dev.avocet.core.config.ConfigurationRefusedException;
import dev.avocet.core.config.ConfigurationTree;
import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.server.monitor.table.Option;
import dev.avocet.server.objects.ChangeOrigin;
import dev.avocet.server.objects.ConfigurationStore;
import dev.avocet.server.objects.ConfigurationStoreException;
import dev.avocet.server.objects.VersionNote;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.Preconditions;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The versions of the configuration: who made them, what is different between two of them, and the way back to one. */
public final class VersionRequests {
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final List<String> NO_OR_YES = List.of("false", "true");
    private static final String TO = "To";

    private final ConfigurationStore objects;
    private final ChangeAnswer answer;

    public VersionRequests(ConfigurationStore objects, ChangeAnswer answer) {
        this.objects = objects;
        this.answer = answer;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(
                        HandlerType.GET,
                        "/configuration/versions",
                        "The versions that are kept, and who made each of them when, the newest first",
                        READ,
                        this::versions),
                new RestRoute(
                        HandlerType.GET,
                        "/configuration/versions/{Number}",
                        "The configuration as it was",
                        READ,
                        this::showVersion),
                new RestRoute(
                        HandlerType.GET,
                        "/configuration/versions/{Number}/diff",
                        "What is different in another version; passwords are masked",
                        READ,
                        this::diff,
                        RouteBody.NONE,
                        List.of(new Option(TO, "the other version; the present one when it is not given", List.of())),
                        List.of()),
                new RestRoute(
                        HandlerType.POST,
                        "/configuration/versions/{Number}/rollback",
                        "Makes the objects what they were; passwords stay as they are. Objects that there were not yet"
                                + " are deleted, with DiscardMessages, DiscardSharers or Force also those that would take"
                                + " something with them",
                        WRITE,
                        this::rollBack,
                        RouteBody.NONE,
                        Stream.concat(Stream.of(DeleteOption.values()).map(DeleteOption::toString), Stream.of("Force"))
                                .map(name -> new Option(name, "what may be lost with deleted objects", NO_OR_YES))
                                .toList(),
                        List.of()));
    }

    private void versions(Context context, Administrator who) throws ConfigurationStoreException {
        long present = objects.current().version();
        Preconditions.tag(context, present);
        List<VersionNote> history = objects.history();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("ConfigurationVersion", present);
        tree.put(
                "ConfigurationVersions",
                history.stream().map(VersionNote::version).sorted().toList());
        tree.put("History", history.stream().map(VersionRequests::shown).toList());
        Answer.objects(context, tree);
    }

    private static Map<String, Object> shown(VersionNote note) {
        Map<String, Object> tree = new LinkedHashMap<>();
        ChangeOrigin origin = note.origin();
        tree.put("ConfigurationVersion", note.version());
        tree.put("Time", note.time() == null ? "" : note.time().toString());
        tree.put("User", origin == null ? "" : origin.user());
        tree.put("ClientAddress", origin == null ? "" : origin.address());
        tree.put("Action", origin == null ? "not known" : origin.action());
        tree.put("Changes", note.changes());
        tree.put("MoreChanges", note.moreChanges());
        return tree;
    }

    private void showVersion(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Answer.objects(context, ConfigurationTree.shown(objects.version(number(context.pathParam("Number")))));
    }

    private void diff(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        Configuration from = objects.version(number(context.pathParam("Number")));
        String other = context.queryParam(TO);
        Configuration to = other == null || other.isEmpty() ? objects.current() : objects.version(number(other));
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("From", from.version());
        tree.put(TO, to.version());
        tree.put("Differences", ShownDifference.between(from, to));
        Answer.objects(context, tree);
    }

    private void rollBack(Context context, Administrator who)
            throws Refusal, ConfigurationRefusedException, ConfigurationStoreException {
        long version = number(context.pathParam("Number"));
        answer.write(
                context,
                who,
                objects.rollBack(
                        version,
                        Preconditions.expectedVersion(context),
                        ChangeAnswer.deleteOptions(context),
                        who.origin("rollback to version " + version)),
                List.of());
    }

    private static long number(String text) throws Refusal {
        if (!text.matches("[0-9]{1,18}")) {
            throw new Refusal(Code.NOT_FOUND, "a version is a number, not '" + text + "'");
        }
        return Long.parseLong(text);
    }
}
