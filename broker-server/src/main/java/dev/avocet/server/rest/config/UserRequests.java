package dev.avocet.server.rest.config;

import dev.avocet.core.config.object.policy.AdminAction;
import dev.avocet.names.NearestName;
import dev.avocet.server.broker.BrokerUsers;
import dev.avocet.server.broker.RunningBroker;
import dev.avocet.server.rest.request.Administrator;
import dev.avocet.server.rest.request.Answer;
import dev.avocet.server.rest.request.AuditLog;
import dev.avocet.server.rest.request.Code;
import dev.avocet.server.rest.request.PresentBroker;
import dev.avocet.server.rest.request.Refusal;
import dev.avocet.server.rest.request.RequestBody;
import dev.avocet.server.rest.request.RestRoute;
import dev.avocet.server.rest.request.RouteBody;
import dev.avocet.server.users.GroupEntry;
import dev.avocet.server.users.UserDirectory;
import dev.avocet.server.users.UserDirectoryException;
import dev.avocet.server.users.UserEntry;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Shows and changes users of clients and their groups. Passwords come in and never go out, not even as hashes. */
public final class UserRequests {
    private static final Set<AdminAction> READ = Set.of(AdminAction.VIEW, AdminAction.CONFIGURE);
    private static final Set<AdminAction> WRITE = Set.of(AdminAction.CONFIGURE);
    private static final String USER = "User";
    private static final String GROUP = "Group";
    private static final String NAME = "Name";
    private static final String GROUPS = "Groups";
    private static final String PASSWORD = "Password";

    private static final Map<String, Object> CHANGES =
            Map.of(PASSWORD, Map.of("type", "string", "nullable", true, "minLength", 1L), GROUPS, RouteBody.NAMES);

    private final PresentBroker broker;
    private final AuditLog audit;

    /** @param broker null while none serves clients */
    public UserRequests(PresentBroker broker, AuditLog audit) {
        this.broker = broker;
        this.audit = audit;
    }

    public List<RestRoute> routes() {
        return List.of(
                new RestRoute(HandlerType.GET, "/user", "All users of clients", READ, this::showUsers),
                new RestRoute(HandlerType.GET, "/user/{Name}", "One user", READ, this::showUser),
                new RestRoute(
                                HandlerType.PUT,
                                "/user/{Name}",
                                "Creates or replaces a user; with If-None-Match: * only creates",
                                WRITE,
                                this::putUser)
                        .bringing(RouteBody.of(CHANGES, List.of(PASSWORD))),
                new RestRoute(
                                HandlerType.POST,
                                "/user/{Name}",
                                "Changes the password or the groups of a user; what is not named stays",
                                WRITE,
                                this::changeUser)
                        .bringing(RouteBody.of(CHANGES, List.of())),
                new RestRoute(
                        HandlerType.DELETE,
                        "/user/{Name}",
                        "Deletes a user and closes the user's connections",
                        WRITE,
                        this::deleteUser),
                new RestRoute(HandlerType.GET, "/group", "All groups of users", READ, this::showGroups),
                new RestRoute(HandlerType.GET, "/group/{Name}", "One group", READ, this::showGroup),
                new RestRoute(
                                HandlerType.PUT,
                                "/group/{Name}",
                                "Creates a group, or says anew which groups it is in; with If-None-Match: * only creates",
                                WRITE,
                                this::putGroup)
                        .bringing(RouteBody.of(Map.of(GROUPS, RouteBody.NAMES), List.of())),
                new RestRoute(
                        HandlerType.DELETE,
                        "/group/{Name}",
                        "Deletes a group without members",
                        WRITE,
                        this::deleteGroup));
    }

    private void showUsers(Context context, Administrator who) throws Refusal {
        BrokerUsers users = users();
        Map<String, Object> all = new LinkedHashMap<>();
        users.directory().users().forEach(user -> all.put(user.name(), shown(user)));
        users.ofStartupFile().stream().sorted().forEach(name -> all.put(name, shownOfStartupFile()));
        Answer.objects(context, Map.of(USER, all));
    }

    private void showUser(Context context, Administrator who) throws Refusal {
        BrokerUsers users = users();
        String name = context.pathParam(NAME);
        Object shown = users.ofStartupFile().contains(name)
                ? shownOfStartupFile()
                : users.directory().users().stream()
                        .filter(user -> user.name().equals(name))
                        .findFirst()
                        .map(UserRequests::shown)
                        .orElseThrow(() -> notFound(
                                "user",
                                name,
                                users.directory().users().stream()
                                        .map(UserEntry::name)
                                        .toList()));
        Answer.objects(context, Map.of(USER, Map.of(name, shown)));
    }

    private void putUser(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        Map<String, @Nullable Object> given = given(context, Set.of(PASSWORD, GROUPS));
        UserDirectory directory = ofDirectory(name);
        char[] password = password(given);
        if (password == null) {
            throw new Refusal(Code.INVALID, "Password: a new user needs one; POST changes one that is there");
        }
        List<String> groups = Objects.requireNonNullElse(groups(given), List.of());
        boolean existed = exists(directory, name);
        try {
            if (onlyCreates(context)) {
                directory.addUser(name, password, groups);
            } else {
                directory.replaceUser(name, password, groups);
            }
        } catch (UserDirectoryException e) {
            throw refusal(e);
        } finally {
            Arrays.fill(password, '\0');
        }
        did(context, who, (existed ? "replaced" : "created") + " user '" + name + "', in groups " + groups);
    }

    private void changeUser(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        Map<String, @Nullable Object> given = given(context, Set.of(PASSWORD, GROUPS));
        UserDirectory directory = ofDirectory(name);
        char[] password = password(given);
        List<String> groups = groups(given);
        if (password == null && groups == null) {
            throw new Refusal(Code.INVALID, "say what to change: Password, Groups, or both");
        }
        try {
            directory.changeUser(name, password, groups);
        } catch (UserDirectoryException e) {
            throw refusal(e);
        } finally {
            if (password != null) {
                Arrays.fill(password, '\0');
            }
        }
        did(
                context,
                who,
                "changed user '" + name + "':" + (password == null ? "" : " another password")
                        + (groups == null ? "" : " groups " + groups));
    }

    private void deleteUser(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        UserDirectory directory = ofDirectory(name);
        try {
            directory.deleteUser(name);
        } catch (UserDirectoryException e) {
            throw refusal(e);
        }
        int closed = running().closeConnections(connection -> name.equals(connection.userName()));
        audit.did(who, "deleted user '" + name + "' and closed " + closed + " connections");
        Answer.done(
                context,
                Code.DONE,
                "User '" + name + "' is deleted; " + closed + " connections were closed.",
                Map.of("Closed", (long) closed));
    }

    private void showGroups(Context context, Administrator who) throws Refusal {
        Map<String, Object> all = new LinkedHashMap<>();
        UserDirectory directory = users().directory();
        directory.groups().forEach(group -> all.put(group.name(), shown(group, directory)));
        Answer.objects(context, Map.of(GROUP, all));
    }

    private void showGroup(Context context, Administrator who) throws Refusal {
        UserDirectory directory = users().directory();
        String name = context.pathParam(NAME);
        GroupEntry group = directory.groups().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> notFound(
                        "group",
                        name,
                        directory.groups().stream().map(GroupEntry::name).toList()));
        Answer.objects(context, Map.of(GROUP, Map.of(name, shown(group, directory))));
    }

    private void putGroup(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        UserDirectory directory = users().directory();
        List<String> groups = Objects.requireNonNullElse(groups(given(context, Set.of(GROUPS))), List.of());
        try {
            if (onlyCreates(context)) {
                directory.addGroup(name, groups);
            } else {
                directory.replaceGroup(name, groups);
            }
        } catch (UserDirectoryException e) {
            throw refusal(e);
        }
        did(context, who, "put group '" + name + "' into groups " + groups);
    }

    private void deleteGroup(Context context, Administrator who) throws Refusal {
        String name = context.pathParam(NAME);
        try {
            users().directory().deleteGroup(name);
        } catch (UserDirectoryException e) {
            throw refusal(e);
        }
        did(context, who, "deleted group '" + name + "'");
    }

    private void did(Context context, Administrator who, String what) {
        audit.did(who, what);
        Answer.done(context, Code.DONE, "Done: " + what + ".", Map.of());
    }

    private static Map<String, Object> shown(UserEntry user) {
        return Map.of(GROUPS, List.copyOf(user.groups()), "HasPassword", user.hasPassword(), "Source", "UserFile");
    }

    private static Map<String, Object> shownOfStartupFile() {
        return Map.of(GROUPS, List.of(), "HasPassword", true, "Source", "StartupFile");
    }

    private static Map<String, Object> shown(GroupEntry group, UserDirectory directory) {
        Map<String, Object> shown = new LinkedHashMap<>();
        shown.put(GROUPS, List.copyOf(group.groups()));
        shown.put(
                "Users",
                directory.users().stream()
                        .filter(user -> user.groups().contains(group.name()))
                        .map(UserEntry::name)
                        .toList());
        return shown;
    }

    private static boolean onlyCreates(Context context) throws Refusal {
        String header = context.header("If-None-Match");
        if (header != null && !header.strip().equals("*")) {
            throw new Refusal(Code.NOT_UNDERSTOOD, "If-None-Match must be *, or not be there");
        }
        return header != null;
    }

    private static boolean exists(UserDirectory directory, String name) {
        return directory.userOf(name) != null;
    }

    private static Map<String, @Nullable Object> given(Context context, Set<String> known) throws Refusal {
        Map<String, @Nullable Object> given = RequestBody.object(context);
        for (String member : given.keySet()) {
            if (!known.contains(member)) {
                throw new Refusal(
                        Code.INVALID, "'" + member + "' is not known here" + NearestName.advice(member, known));
            }
        }
        return given;
    }

    private static char @Nullable [] password(Map<String, @Nullable Object> given) throws Refusal {
        if (!given.containsKey(PASSWORD)) {
            return null;
        }
        Object value = given.get(PASSWORD);
        if (value == null) {
            return UserDirectory.NO_PASSWORD;
        }
        if (!(value instanceof String password)) {
            throw new Refusal(Code.INVALID, "Password: must be text in quotes, or null for none");
        }
        if (password.isEmpty()) {
            throw new Refusal(Code.INVALID, "Password: a password is not empty; null is for a user who has none");
        }
        return password.toCharArray();
    }

    private static @Nullable List<String> groups(Map<String, @Nullable Object> given) throws Refusal {
        if (!given.containsKey(GROUPS)) {
            return null;
        }
        if (!(given.get(GROUPS) instanceof Collection<?> elements)) {
            throw new Refusal(Code.INVALID, "Groups: must be a list in brackets of names in quotes");
        }
        List<String> groups = new ArrayList<>();
        for (Object element : elements) {
            if (!(element instanceof String group)) {
                throw new Refusal(Code.INVALID, "Groups: must be a list in brackets of names in quotes");
            }
            groups.add(group);
        }
        return groups;
    }

    private UserDirectory ofDirectory(String name) throws Refusal {
        BrokerUsers users = users();
        if (users.ofStartupFile().contains(name)) {
            throw new Refusal(
                    Code.IN_USE, "user '" + name + "' is one of security.users in the startup file; change it there");
        }
        return users.directory();
    }

    private BrokerUsers users() throws Refusal {
        BrokerUsers users = running().users();
        if (users == null) {
            throw new Refusal(Code.NOT_IMPLEMENTED, "this broker keeps no users");
        }
        return users;
    }

    private RunningBroker running() throws Refusal {
        RunningBroker running = broker.get();
        if (running == null) {
            throw broker.absent();
        }
        return running;
    }

    private static Refusal notFound(String kind, String name, Collection<String> names) {
        return new Refusal(Code.NOT_FOUND, "there is no " + kind + " '" + name + "'" + NearestName.advice(name, names));
    }

    private static Refusal refusal(UserDirectoryException e) {
        Code code =
                switch (e.reason()) {
                    case INVALID -> Code.INVALID;
                    case EXISTS -> Code.STALE;
                    case NOT_FOUND -> Code.NOT_FOUND;
                    case IN_USE -> Code.IN_USE;
                    case FILE_FAILED -> Code.NOT_NOW;
                };
        return new Refusal(code, String.valueOf(e.getMessage()));
    }
}
