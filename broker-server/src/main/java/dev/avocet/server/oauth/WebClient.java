package dev.avocet.server.oauth;

import dev.avocet.core.config.object.security.OAuthProfile;
import dev.avocet.core.security.provider.ProviderThreads.Deadline;
import dev.avocet.core.tls.status.LimitedBody;
import dev.avocet.server.certificates.ServerTrust;
import dev.avocet.server.certificates.UnusableProfileException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

/**
 * Asks an OAuth server by HTTP. Follows no redirection, and reads no answer beyond a limit or a deadline. Blocks;
 * thread-safe.
 */
final class WebClient {
    static final int MAX_BYTES = 1 << 20;
    static final int OK = 200;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http;

    private WebClient(HttpClient http) {
        this.http = http;
    }

    /** @param files where uploaded certificates are */
    static WebClient of(OAuthProfile profile, Path files) throws UnusableProfileException {
        try {
            SSLContext tls = SSLContext.getInstance("TLS");
            tls.init(
                    null,
                    new TrustManager[] {ServerTrust.manager(profile.checkServerCert(), profile.keyFileName(), files)},
                    null);
            return new WebClient(HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(CONNECT_TIMEOUT)
                    .sslContext(tls)
                    .build());
        } catch (GeneralSecurityException e) {
            throw new UnusableProfileException("TLS cannot be used: " + e.getMessage(), e);
        }
    }

    /** The status and the body of the answer. What goes wrong is told without the URL, which may hold a token. */
    Answer ask(HttpRequest request, Deadline deadline) throws IOException {
        CompletableFuture<HttpResponse<byte[]>> asked = http.sendAsync(request, info -> new LimitedBody(MAX_BYTES));
        try {
            HttpResponse<byte[]> response = asked.get(deadline.leftMs(), TimeUnit.MILLISECONDS);
            return new Answer(response.statusCode(), response.body());
        } catch (TimeoutException e) {
            throw new IOException(request.uri().getHost() + " does not answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the profile is changed");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            String text = cause == null ? "" : cause.getMessage();
            throw new IOException(
                    request.uri().getHost() + " cannot be asked: " + (text == null ? "no connection" : text), e);
        } finally {
            asked.cancel(true);
        }
    }

    /**
     * What a server has answered.
     *
     * @param status of HTTP
     */
    record Answer(int status, byte[] body) {}
}
