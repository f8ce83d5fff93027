package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.document.Documents;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.outcome.AdminException;
import dev.avocet.admin.print.OutputOption;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has the broker try a profile of tokens. */
final class TokenTesting {
    private TokenTesting() {}

    /**
     * Prints what the broker found.
     *
     * @param tokenFile whose first line is a token, or null
     * @return the exit code of the command
     */
    static int run(
            String action,
            String profile,
            @Nullable Path tokenFile,
            ConnectionOptions connection,
            OutputOption output,
            PrintWriter out)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Name", profile);
        if (tokenFile != null) {
            body.put("Token", PasswordFile.read(tokenFile));
        }
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post(action, body);
        answer.remove("Version");
        if (output.isJson()) {
            out.println(Documents.toJson(answer));
        } else {
            LdapCommands.print(answer, out);
        }
        return LdapCommands.exitCode(answer);
    }
}
