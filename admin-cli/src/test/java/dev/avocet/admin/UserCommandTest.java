package dev.avocet.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.avocet.admin.outcome.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users and groups on the command line. */
class UserCommandTest {
    private static final String TWO_USERS =
            "200 {\"User\": {\"anna\": {\"Groups\": [\"a\", \"b\"], \"Source\": \"UserFile\"}, \"bert\": {\"Groups\": []}}}";

    @TempDir
    private Path folder;

    private RecordedApi api;
    private Shell shell;
    private String password;

    @BeforeEach
    void start() throws IOException {
        api = new RecordedApi();
        shell = new Shell(api.url());
        password = Files.writeString(folder.resolve("p"), "pencil\nnot this\n").toString();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    @Test
    void shouldCreateAUserWithThePasswordOfAFile() {
        // when
        int code = shell.run("user", "create", "plant/anna", "--groups", "a,b", "--new-password-file", password);

        // then
        assertThat(code).isZero();
        assertThat(api.requests())
                .containsExactly("PUT /api/v1/user/plant%2Fanna {\"Password\":\"pencil\",\"Groups\":[\"a\",\"b\"]}"
                        + " if none match *");
    }

    @Test
    void shouldAskForThePasswordWhereNoFileIsGiven() {
        // when: there is no terminal
        int code = shell.run("user", "create", "anna");

        // then
        assertThat(code).isEqualTo(ExitCode.USAGE);
        assertThat(shell.err()).contains("no terminal", "--new-password-file");
        assertThat(api.requests()).isEmpty();
    }

    @Test
    void shouldChangeOnlyWhatIsNamed() {
        // when
        shell.run("user", "update", "anna", "--groups", "");
        shell.run("user", "update", "anna", "--new-password-file", password);
        shell.run("group", "update", "a", "--groups", "b");

        // then
        assertThat(api.requests())
                .contains(
                        "POST /api/v1/user/anna {\"Groups\":[]}",
                        "POST /api/v1/user/anna {\"Password\":\"pencil\"}",
                        "PUT /api/v1/group/a {\"Groups\":[\"b\"]}");
    }

    @Test
    void shouldListShowAndDelete() {
        // given
        api.answering("GET /api/v1/user", TWO_USERS).answering("GET /api/v1/user/anna", TWO_USERS);
        api.answering(
                "DELETE /api/v1/user/none", "404 {\"Code\":\"CWLNA0113\",\"Message\":\"there is no user 'none'\"}");

        // then
        assertThat(shell.run("user", "list")).isZero();
        assertThat(shell.out()).contains("Name  Groups  Source").contains("anna  a,b");
        shell.run("user", "list", "-o", "name");
        assertThat(shell.out().lines()).containsExactly("anna", "bert");
        shell.run("user", "show", "anna", "-o", "json");
        assertThat(shell.out()).contains("\"Groups\" : [ \"a\", \"b\" ]").doesNotContain("bert");
        assertThat(shell.run("user", "delete", "none")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(shell.err()).contains("there is no user 'none'");
    }

    @Test
    void shouldTakeTheShapeOfMessageSightOne() {
        // given
        api.answering("GET /api/v1/user", TWO_USERS);

        // when
        int added = shell.run(
                "imaserver", "user", "add", "UserID=anna", "Type=Messaging", "Password=pencil", "GroupMembership=a,b");

        // then
        assertThat(added).isZero();
        assertThat(shell.err()).contains("every user of this machine can read");
        assertThat(shell.run("imaserver", "user", "list", "UserID=a*")).isZero();
        assertThat(shell.out().lines()).containsExactly("anna");
        assertThat(shell.run("imaserver", "user", "edit", "UserID=anna", "GroupMembership="))
                .isZero();
        assertThat(shell.run("imaserver", "group", "add", "GroupID=a")).isZero();
        assertThat(shell.run("imaserver", "group", "delete", "GroupID=a")).isZero();
        assertThat(shell.run("imaserver", "user", "ad", "UserID=anna")).isEqualTo(ExitCode.USAGE);
        assertThat(shell.run("imaserver", "user", "add", "UserID=x", "Type=WebUI"))
                .isEqualTo(ExitCode.USAGE);
        assertThat(api.requests())
                .containsSubsequence(
                        "PUT /api/v1/user/anna {\"Password\":\"pencil\",\"Groups\":[\"a\",\"b\"]} if none match *",
                        "POST /api/v1/user/anna {\"Groups\":[]}",
                        "PUT /api/v1/group/a {\"Groups\":[]} if none match *",
                        "DELETE /api/v1/group/a");
    }
}
