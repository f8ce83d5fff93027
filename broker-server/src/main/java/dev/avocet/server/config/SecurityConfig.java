package dev.avocet.server.config;

import dev.avocet.core.config.schema.Doc;
import dev.avocet.core.security.user.InMemoryUsers;
import dev.avocet.core.security.user.ScramCredential;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who may connect. */
public record SecurityConfig(
        @Doc("The users and their password verifiers, as `broker hash-password NAME` prints them.")
        List<UserConfig> users,

        @Doc(
                "Where clients may connect without a name: `onLoopback` (also on endpoints with `allowInsecure`), `always` or"
                        + " `never`.")
        AnonymousAccess allowAnonymous,

        @Doc(
                "Rely on the users that administrators create while the broker runs, kept in `security/users.json` of the data"
                        + " directory: names must be proved, and endpoints may listen where others reach them, even before the"
                        + " first user exists. Such users are known in any case; those of this file come first.")
        boolean userFile,

        @Doc("Let logins wait that follow upon failed ones from the same address or under the same user name.")
        boolean throttleLogins,

        @Doc(
                "Use cryptography alone that FIPS 140 approves, of a provider that is validated; without such a provider the"
                        + " broker does not start. See [security](security.md#fips-140).")
        boolean fips)
        implements Constrained {
    /** No users. */
    public static final List<UserConfig> DEFAULT_USERS = List.of();
    /** Useful in a minute and still safe. */
    public static final AnonymousAccess DEFAULT_ALLOW_ANONYMOUS = AnonymousAccess.ON_LOOPBACK;

    /** Only if asked for: an administrator who relies on no users has to be told that no client can come in. */
    public static final boolean DEFAULT_USER_FILE = false;
    /** Safe unless asked otherwise. */
    public static final boolean DEFAULT_THROTTLE_LOGINS = true;

    /** Needs a provider that Java does not come with. */
    public static final boolean DEFAULT_FIPS = false;

    /** Copies the users. */
    public SecurityConfig {
        users = List.copyOf(users);
    }

    /** What applies where nothing is configured. */
    public static SecurityConfig defaults() {
        return new SecurityConfig(
                DEFAULT_USERS, DEFAULT_ALLOW_ANONYMOUS, DEFAULT_USER_FILE, DEFAULT_THROTTLE_LOGINS, DEFAULT_FIPS);
    }

    /** The users as the broker asks for them; only after the configuration was found valid. */
    public InMemoryUsers userStore() {
        Map<String, ScramCredential> credentials = new LinkedHashMap<>();
        users.forEach(user -> credentials.put(user.name(), user.credential()));
        return new InMemoryUsers(credentials);
    }

    /** Whether a client could prove who it is. */
    boolean knowsUsers() {
        return userFile || !users.isEmpty();
    }

    /** Whether clients may connect to that endpoint without a name. */
    public boolean allowsAnonymous(EndpointConfig endpoint) {
        return switch (allowAnonymous) {
            case ALWAYS -> true;
            case NEVER -> false;
            case ON_LOOPBACK -> endpoint.allowInsecure() || endpoint.isLoopback();
        };
    }

    @Override
    public void check(Problems problems) {
        Set<String> names = new HashSet<>();
        for (int i = 0; i < users.size(); i++) {
            String name = users.get(i).name();
            if (!names.add(name)) {
                problems.at("users").at(i).at("name").add("'" + name + "' is there twice");
            }
        }
    }
}
