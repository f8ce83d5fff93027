package dev.avocet.server.users;

import dev.avocet.core.security.user.PasswordHash;
import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.ScramCredential;
import dev.avocet.core.security.user.User;
import dev.avocet.core.security.user.UserNames;
import dev.avocet.core.security.user.UserStore;
import dev.avocet.server.config.ConfigurationException;
import dev.avocet.server.users.UserDirectoryException.Reason;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Users and groups in a file, which administrators change by these methods or with an editor. A change is on the disk
 * before a method returns, and logins see it from then on; clients that are connected stay.
 *
 * <p>Any thread, but changes block on the disk and on hashing: never an event loop. Passwords stay the caller's to
 * wipe.
 */
public final class UserDirectory implements UserStore {
    /** Longest password, in bytes of UTF-8. */
    public static final int MAX_PASSWORD_BYTES = 1024;

    /** That there is no password; the very array, not any empty one. */
    public static final char[] NO_PASSWORD = {};

    private static final Logger LOG = LoggerFactory.getLogger(UserDirectory.class);
    private static final int SALT_BYTES = 16;

    private final UserFile file;
    private final @Nullable PasswordHasher hasher;
    private final SecureRandom random;
    private final ReentrantLock changing = new ReentrantLock();
    private volatile DirectoryContent content = DirectoryContent.EMPTY;
    private volatile Map<String, User> effective = Map.of();
    // of the file as it was looked at last; changed under the lock
    private UserFile.Stamp stamp = UserFile.Stamp.NONE;
    private @Nullable String problem;

    private UserDirectory(Path path, @Nullable PasswordHasher hasher, SecureRandom random) {
        this.file = new UserFile(path);
        this.hasher = hasher;
        this.random = random;
    }

    /**
     * The users and groups of a file, which need not exist yet.
     *
     * @param hasher of new passwords; null where they are kept as SCRAM verifiers alone
     * @throws UserDirectoryException when it exists and cannot be read; the message names it and what is wrong
     */
    public static UserDirectory open(Path path, @Nullable PasswordHasher hasher, SecureRandom random)
            throws UserDirectoryException {
        UserDirectory directory = new UserDirectory(path, hasher, random);
        directory.reloadIfChanged();
        return directory;
    }

    @Override
    public @Nullable User userOf(String userName) {
        return effective.get(userName);
    }

    @Override
    public boolean usuallyHashed() {
        return hasher != null && !effective.isEmpty();
    }

    /** Whether there is no user. Any thread, at once. */
    public boolean isEmpty() {
        return effective.isEmpty();
    }

    /** All users, by name. */
    public List<UserEntry> users() {
        return content.users().values().stream()
                .map(user -> new UserEntry(
                        user.name(),
                        user.groups(),
                        user.password() != null || user.scram() != null,
                        user.scram() != null))
                .toList();
    }

    /** All groups, by name. */
    public List<GroupEntry> groups() {
        return content.groups().entrySet().stream()
                .map(group -> new GroupEntry(group.getKey(), group.getValue()))
                .toList();
    }

    /**
     * Adds a user, who can log in with a plain password and by SCRAM.
     *
     * @param password {@link #NO_PASSWORD} for a user who needs none where that is allowed, and comes in nowhere else
     */
    public void addUser(String name, char[] password, Collection<String> groups) throws UserDirectoryException {
        checkName("user name", name);
        PasswordHash hash = hash(password);
        ScramCredential scram = scram(password);
        change(before -> {
            if (before.users().containsKey(name)) {
                throw new UserDirectoryException(Reason.EXISTS, "there is a user '" + name + "' already");
            }
            return before.with(new StoredUser(name, hash, scram, new TreeSet<>(groups)));
        });
    }

    /** Adds a user, or says everything anew about the one of that name. */
    public void replaceUser(String name, char[] password, Collection<String> groups) throws UserDirectoryException {
        checkName("user name", name);
        PasswordHash hash = hash(password);
        ScramCredential scram = scram(password);
        change(before -> before.with(new StoredUser(name, hash, scram, new TreeSet<>(groups))));
    }

    /** Gives a user another password. */
    public void changePassword(String name, char[] password) throws UserDirectoryException {
        changeUser(name, password, null);
    }

    /** Says anew which groups a user is in. */
    public void changeGroups(String name, Collection<String> groups) throws UserDirectoryException {
        changeUser(name, null, groups);
    }

    /**
     * Changes a user in one step.
     *
     * @param password the new one, or null to leave it
     * @param groups those that the user is in from now on, or null to leave them
     */
    public void changeUser(String name, char @Nullable [] password, @Nullable Collection<String> groups)
            throws UserDirectoryException {
        PasswordHash hash = password == null ? null : hash(password);
        ScramCredential scram = password == null ? null : scram(password);
        change(before -> {
            StoredUser user = required(before, name);
            StoredUser proved = password == null ? user : user.withPassword(hash, scram);
            return before.with(groups == null ? proved : proved.withGroups(new TreeSet<>(groups)));
        });
    }

    /** Deletes a user. */
    public void deleteUser(String name) throws UserDirectoryException {
        change(before -> before.withoutUser(required(before, name).name()));
    }

    /** Adds a group, which may be in others. */
    public void addGroup(String name, Collection<String> memberOf) throws UserDirectoryException {
        checkName("group name", name);
        change(before -> {
            if (before.groups().containsKey(name)) {
                throw new UserDirectoryException(Reason.EXISTS, "there is a group '" + name + "' already");
            }
            return before.withGroup(name, new TreeSet<>(memberOf));
        });
    }

    /** Says anew which groups a group is in. */
    public void changeGroup(String name, Collection<String> memberOf) throws UserDirectoryException {
        change(before -> {
            requireGroup(before, name);
            return before.withGroup(name, new TreeSet<>(memberOf));
        });
    }

    /** Adds a group, or says anew which groups the one of that name is in. */
    public void replaceGroup(String name, Collection<String> memberOf) throws UserDirectoryException {
        checkName("group name", name);
        change(before -> before.withGroup(name, new TreeSet<>(memberOf)));
    }

    /** Deletes a group without members. */
    public void deleteGroup(String name) throws UserDirectoryException {
        change(before -> {
            requireGroup(before, name);
            return before.withoutGroup(name);
        });
    }

    /**
     * Reads the file again if another program has written it; otherwise costs one look at its attributes.
     *
     * @throws UserDirectoryException when it cannot be read; then everything stays as it was, and it is said only once
     */
    public void reloadIfChanged() throws UserDirectoryException {
        changing.lock();
        try {
            UserFile.Stamp now = file.stamp();
            if (now.equals(stamp)) {
                return;
            }
            stamp = now;
            String text = file.read();
            become(
                    text == null
                            ? DirectoryContent.EMPTY
                            : UserJson.parse(file.path().toString(), text));
            problem = null;
            LOG.info(
                    "{} users and {} groups in {}",
                    content.users().size(),
                    content.groups().size(),
                    file.path());
        } catch (ConfigurationException | IllegalArgumentException e) {
            throw unreadable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw unreadable("cannot be read: " + e.getMessage());
        } finally {
            changing.unlock();
        }
    }

    private void change(Change change) throws UserDirectoryException {
        changing.lock();
        try {
            reloadIfChanged(); // what an editor has written meanwhile is not lost
            if (problem != null) {
                throw failed(problem + "; mend it first, or it would be lost");
            }
            DirectoryContent after = change.of(content);
            file.write(UserJson.render(after));
            stamp = file.stamp();
            become(after);
        } catch (IOException e) {
            throw failed("cannot be written: " + e);
        } finally {
            changing.unlock();
        }
    }

    private void become(DirectoryContent after) {
        content = after;
        effective = after.effective(effective, hasher != null);
    }

    private @Nullable PasswordHash hash(char[] password) throws UserDirectoryException {
        if (password == NO_PASSWORD) {
            return null;
        }
        if (StandardCharsets.UTF_8.encode(CharBuffer.wrap(password)).remaining() > MAX_PASSWORD_BYTES) {
            throw new UserDirectoryException(
                    Reason.INVALID, "a password has at most " + MAX_PASSWORD_BYTES + " bytes of UTF-8");
        }
        try {
            return hasher == null ? null : hasher.hash(password);
        } catch (IllegalArgumentException e) {
            throw new UserDirectoryException(Reason.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private @Nullable ScramCredential scram(char[] password) throws UserDirectoryException {
        if (password == NO_PASSWORD) {
            return null;
        }
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        int iterations = hasher == null ? ScramCredential.LONE_ITERATIONS : ScramCredential.DEFAULT_ITERATIONS;
        try {
            return ScramCredential.derive(password, salt, iterations);
        } catch (IllegalArgumentException e) {
            throw new UserDirectoryException(Reason.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private UserDirectoryException unreadable(String why) {
        problem = why;
        return failed(why);
    }

    private UserDirectoryException failed(String what) {
        return new UserDirectoryException(Reason.FILE_FAILED, file.path() + ": " + what);
    }

    private static void checkName(String kind, String name) throws UserDirectoryException {
        try {
            UserNames.check(kind, name);
        } catch (IllegalArgumentException e) {
            throw new UserDirectoryException(Reason.INVALID, String.valueOf(e.getMessage()));
        }
    }

    private static StoredUser required(DirectoryContent content, String name) throws UserDirectoryException {
        StoredUser user = content.users().get(name);
        if (user == null) {
            throw new UserDirectoryException(Reason.NOT_FOUND, "there is no user '" + name + "'");
        }
        return user;
    }

    private static void requireGroup(DirectoryContent content, String name) throws UserDirectoryException {
        if (!content.groups().containsKey(name)) {
            throw new UserDirectoryException(Reason.NOT_FOUND, "there is no group '" + name + "'");
        }
    }

    @FunctionalInterface
    private interface Change {
        DirectoryContent of(DirectoryContent before) throws UserDirectoryException;
    }
}
