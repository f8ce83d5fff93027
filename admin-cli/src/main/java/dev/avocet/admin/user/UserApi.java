package dev.avocet.admin.user;

import dev.avocet.admin.connection.AdminClient;
import dev.avocet.admin.connection.ConfigurationApi;
import dev.avocet.admin.connection.ConfigurationView;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.outcome.AdminException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The users of a broker's clients, or their groups. */
public final class UserApi {
    private final AdminClient client;
    private final String type;
    private final String path;

    private UserApi(AdminClient client, String type, String path) {
        this.client = client;
        this.type = type;
        this.path = path;
    }

    public static UserApi users(AdminClient client) {
        return new UserApi(client, "User", "/api/v1/user");
    }

    public static UserApi groups(AdminClient client) {
        return new UserApi(client, "Group", "/api/v1/group");
    }

    /** All of them, by name, with what the broker shows of each. */
    public Map<String, Map<String, @Nullable Object>> all() throws AdminException {
        return found(path);
    }

    /** The one of that name. */
    public Map<String, @Nullable Object> one(String name) throws AdminException {
        return found(pathOf(name)).getOrDefault(name, Map.of());
    }

    /** @param password null for none */
    public void createUser(String name, @Nullable String password, List<String> groups) throws AdminException {
        client.create(pathOf(name), body(new Password(password), groups));
    }

    public void createGroup(String name, List<String> groups) throws AdminException {
        client.create(pathOf(name), body(null, groups));
    }

    /**
     * Changes a user.
     *
     * @param password null to leave it
     * @param groups null to leave them
     */
    public void update(String name, @Nullable Password password, @Nullable List<String> groups) throws AdminException {
        client.post(pathOf(name), body(password, groups), null);
    }

    /** Says anew which groups a group is in. */
    public void replace(String name, List<String> groups) throws AdminException {
        client.put(pathOf(name), body(null, groups));
    }

    /**
     * A password that a user gets.
     *
     * @param text null for none
     */
    public record Password(@Nullable String text) {
        @Override
        public String toString() {
            return "Password[]";
        }
    }

    public void delete(String name) throws AdminException {
        client.delete(pathOf(name));
    }

    private static String body(@Nullable Password password, @Nullable List<String> groups) {
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (password != null) {
            members.put("Password", password.text());
        }
        if (groups != null) {
            members.put("Groups", groups);
        }
        return Documents.toCompactJson(members);
    }

    private String pathOf(String name) {
        return path + "/" + ConfigurationApi.encoded(name);
    }

    private Map<String, Map<String, @Nullable Object>> found(String where) throws AdminException {
        ConfigurationView answer = ConfigurationApi.view(client.get(where));
        Map<String, Map<String, @Nullable Object>> found = new LinkedHashMap<>();
        answer.object(type).forEach((name, shown) -> {
            if (shown instanceof Map<?, ?> members) {
                found.put(name, ConfigurationView.copyOf(members));
            }
        });
        return found;
    }
}
