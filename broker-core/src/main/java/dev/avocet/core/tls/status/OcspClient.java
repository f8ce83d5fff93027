package dev.avocet.core.tls.status;

import dev.avocet.core.time.Clock;
import dev.avocet.core.tls.key.TlsException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks OCSP responders by HTTP. Follows no redirection, and reads no answer beyond a limit or a deadline. Blocks;
 * thread-safe.
 */
final class OcspClient {
    private static final int MAX_BYTES = 64 << 10;
    private static final int OK = 200;

    private final OcspOptions.Nonce nonce;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    OcspClient(OcspOptions.Nonce nonce, Clock clock) {
        this.nonce = nonce;
        this.clock = clock;
    }

    /** @throws TlsException when there is no answer that counts; the message says why */
    OcspAnswer ask(OcspQuestion question, URI responder, Duration patience) throws TlsException {
        byte[] sent = nonce == OcspOptions.Nonce.NEVER ? null : OcspQuestion.nonce(random);
        byte[] answer = post(responder, question.encoded(sent), patience);
        Instant now = Instant.ofEpochMilli(clock.wallTimeMs());
        try {
            return OcspAnswer.verified(answer, question, sent, nonce == OcspOptions.Nonce.REQUIRED, now);
        } catch (TlsException e) {
            throw new TlsException("the OCSP responder " + responder + ": " + e.getMessage(), e);
        }
    }

    private byte[] post(URI responder, byte[] request, Duration patience) throws TlsException {
        HttpRequest post = HttpRequest.newBuilder(responder)
                .header("Content-Type", "application/ocsp-request")
                .header("Accept", "application/ocsp-response")
                .POST(HttpRequest.BodyPublishers.ofByteArray(request))
                .build();
        CompletableFuture<HttpResponse<byte[]>> asked = http.sendAsync(post, info -> new LimitedBody(MAX_BYTES));
        try {
            HttpResponse<byte[]> response = asked.get(Math.max(1, patience.toMillis()), TimeUnit.MILLISECONDS);
            if (response.statusCode() != OK) {
                throw new TlsException("the OCSP responder " + responder + " answers " + response.statusCode());
            }
            return response.body();
        } catch (TimeoutException e) {
            throw new TlsException("the OCSP responder " + responder + " does not answer in time", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TlsException("the endpoint is closed", e);
        } catch (ExecutionException e) {
            String text = e.getCause() == null ? null : e.getCause().getMessage();
            throw new TlsException(
                    "the OCSP responder " + responder + " cannot be asked: " + (text == null ? "no connection" : text),
                    e);
        } finally {
            asked.cancel(true);
        }
    }
}
