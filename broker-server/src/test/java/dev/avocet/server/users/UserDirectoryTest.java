package dev.avocet.server.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.avocet.core.security.user.PasswordHasher;
import dev.avocet.core.security.user.User;
import dev.avocet.server.users.UserDirectoryException.Reason;
import dev.avocet.testkit.CheapHasher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users and groups in a file. */
class UserDirectoryTest {
    private static final char[] PENCIL = "pencil".toCharArray();

    @TempDir
    private Path directory;

    private final SecureRandom random = new SecureRandom();
    private final PasswordHasher hasher = CheapHasher.create();
    private Path file;
    private UserDirectory users;

    @BeforeEach
    void open() throws UserDirectoryException {
        file = directory.resolve("security").resolve("users.json");
        users = UserDirectory.open(file, hasher, random);
    }

    @Test
    void shouldKeepUsersForTheNextStart() throws Exception {
        // given
        users.addGroup("writers", List.of());
        users.addUser("anna", PENCIL, List.of("writers"));

        // when
        UserDirectory again = UserDirectory.open(file, hasher, random);

        // then
        User anna = again.userOf("anna");
        assertThat(anna.groups()).containsExactly("writers");
        assertThat(hasher.matches(anna.password(), PENCIL)).isTrue();
        assertThat(anna.scram().verifyPassword(PENCIL)).isTrue();
        assertThat(again.users()).containsExactlyElementsOf(users.users());
        assertThat(again.groups()).containsExactlyElementsOf(users.groups());
    }

    @Test
    void shouldKeepTheFileFromOthersAndPasswordsOutOfIt() throws Exception {
        users.addUser("anna", PENCIL, List.of());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(file)).contains("$argon2id$").doesNotContain("pencil");
        assertThat(file.getParent().toFile().list()).containsExactly("users.json");
    }

    @Test
    void shouldChangeAndDelete() throws Exception {
        users.addGroup("readers", List.of());
        users.addUser("anna", PENCIL, List.of());
        users.addUser("bert", PENCIL, List.of());
        User bert = users.userOf("bert");

        users.changePassword("anna", "other".toCharArray());
        users.changeGroups("anna", List.of("readers"));
        assertThat(hasher.matches(users.userOf("anna").password(), "other".toCharArray()))
                .isTrue();
        assertThat(users.userOf("anna").groups()).containsExactly("readers");
        assertThat(users.userOf("bert"))
                .as("what was found out about a user holds on")
                .isSameAs(bert);

        users.deleteUser("anna");
        assertThat(users.userOf("anna")).isNull();
        users.deleteGroup("readers");
        assertThat(users.groups()).isEmpty();
    }

    @Test
    void shouldPutMembersOfAGroupIntoTheGroupsThatHoldIt() throws Exception {
        users.addGroup("everybody", List.of());
        users.addGroup("plant", List.of("everybody"));
        users.addGroup("devices", List.of("plant"));
        users.addUser("d7", PENCIL, List.of("devices"));
        assertThat(users.userOf("d7").groups()).containsExactlyInAnyOrder("devices", "plant", "everybody");

        users.changeGroup("devices", Set.of());

        assertThat(users.userOf("d7").groups()).containsExactly("devices");
        assertThat(users.users().get(0).groups()).containsExactly("devices");
    }

    @Test
    void shouldRefuseWhatCannotBeAndChangeNothing() throws Exception {
        users.addGroup("a", List.of());
        users.addGroup("b", List.of("a"));
        users.addUser("anna", PENCIL, List.of("b"));
        String before = Files.readString(file);

        refused(Reason.EXISTS, "there is a user 'anna' already", () -> users.addUser("anna", PENCIL, List.of()));
        refused(Reason.EXISTS, "there is a group 'a' already", () -> users.addGroup("a", List.of()));
        refused(Reason.NOT_FOUND, "there is no user 'bert'", () -> users.deleteUser("bert"));
        refused(Reason.NOT_FOUND, "there is no user 'bert'", () -> users.changePassword("bert", PENCIL));
        refused(Reason.NOT_FOUND, "there is no group 'c'", () -> users.deleteGroup("c"));
        refused(Reason.INVALID, "there is no group 'c'", () -> users.addUser("bert", PENCIL, List.of("c")));
        refused(Reason.INVALID, "would be in itself", () -> users.changeGroup("a", List.of("b")));
        refused(Reason.INVALID, "would be in itself", () -> users.changeGroup("a", List.of("a")));
        refused(Reason.IN_USE, "user 'anna'", () -> users.deleteGroup("b"));
        refused(Reason.IN_USE, "group 'b'", () -> users.deleteGroup("a"));
        refused(Reason.INVALID, "user name must not be empty", () -> users.addUser("", PENCIL, List.of()));
        refused(Reason.INVALID, "a password is not empty", () -> users.addUser("bert", new char[0], List.of()));
        refused(
                Reason.INVALID,
                "at most 1024 bytes",
                () -> users.changePassword("anna", "ä".repeat(600).toCharArray()));

        assertThat(Files.readString(file)).isEqualTo(before);
    }

    @Test
    void shouldSeeWhatAnEditorHasWritten() throws Exception {
        // given
        users.addUser("anna", PENCIL, List.of());
        UserDirectory editor = UserDirectory.open(file, hasher, random);

        // when
        editor.addUser("bert", PENCIL, List.of());
        users.reloadIfChanged();

        // then
        assertThat(users.userOf("bert")).isNotNull();
        editor.addUser("carl", PENCIL, List.of());
        users.addUser("dora", PENCIL, List.of());
        assertThat(users.users()).as("neither change is lost").hasSize(4);
    }

    @Test
    void shouldStayAsItWasWhenAnEditorLeavesABrokenFile() throws Exception {
        // given
        users.addUser("anna", PENCIL, List.of());
        Files.writeString(file, "{\"version\": 1, \"users\": [{\"name\": \"anna\"");

        // then
        refused(Reason.FILE_FAILED, "users.json", users::reloadIfChanged);
        users.reloadIfChanged(); // said once
        assertThat(users.userOf("anna")).isNotNull();
        refused(Reason.FILE_FAILED, "mend it first", () -> users.deleteUser("anna"));
        assertThat(Files.readString(file)).startsWith("{\"version\": 1, \"users\": [{\"name\": \"anna\"");

        Files.writeString(file, "{\"version\": 1}");
        users.reloadIfChanged();
        assertThat(users.userOf("anna")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"version\": 2}|version must be 1",
                "{\"version\": 1, \"users\": {}}|users must be a list",
                "{\"version\": 1, \"users\": [{\"name\": \"x\"}]}|user 'x': password must be there",
                "{\"version\": 1, \"users\": [{\"name\": \"x\", \"password\": \"plain\"}]}|user 'x': password is not of the form",
                "{\"version\": 1, \"users\": [{\"name\": \" x\"}]}|users[0]: name must not begin or end",
                "{\"version\": 1, \"groups\": [{\"name\": \"g\"}, {\"name\": \"g\"}]}|group 'g' is there twice",
                "{\"version\": 1, \"groups\": [{\"name\": \"g\", \"groups\": [\"h\"]}]}|group 'g': there is no group 'h'",
                "{\"version\": 1, \"groups\": [{\"name\": \"g\", \"groups\": [\"g\"]}]}|group 'g' is in itself"
            })
    void shouldSayWhatIsWrongWithAFile(String textAndProblem) throws IOException {
        String[] parts = textAndProblem.split("\\|", 2);
        Files.createDirectories(file.getParent());
        Files.writeString(file, parts[0]);

        refused(Reason.FILE_FAILED, parts[1], () -> UserDirectory.open(file, hasher, random));
    }

    private static void refused(Reason reason, String message, ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(
                        UserDirectoryException.class,
                        e -> assertThat(e.reason()).isEqualTo(reason))
                .hasMessageContaining(message);
    }
}
