package dev.avocet.admin.user;

import dev.avocet.admin.connection.ConnectionOptions;
import dev.avocet.admin.connection.ServiceApi;
import dev.avocet.admin.input.PasswordFile;
import dev.avocet.admin.outcome.AdminException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has the broker try a profile of tokens. */
final class TokenTesting {
    private TokenTesting() {}

    /** @param tokenFile whose first line is a token, or null */
    static Map<String, @Nullable Object> run(
            String action, String profile, @Nullable Path tokenFile, ConnectionOptions connection)
            throws AdminException {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("Name", profile);
        if (tokenFile != null) {
            body.put("Token", PasswordFile.read(tokenFile));
        }
        Map<String, @Nullable Object> answer = new ServiceApi(connection.client()).post(action, body);
        answer.remove("Version");
        return answer;
    }
}
