package dev.avocet.server.admin;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/**
 * Answers requests that no route gets to see, such as those that are no HTTP, with the envelope that all errors have.
 */
final class JsonErrors extends ErrorHandler {
    private static final String JSON = "application/json";

    @Override
    protected void generateAcceptableResponse(
            Request baseRequest, HttpServletRequest request, HttpServletResponse response, int code, String message)
            throws IOException {
        response.setContentType(JSON);
        response.getOutputStream().write(body(code, message));
        baseRequest.setHandled(true);
    }

    @Override
    public ByteBuffer badMessageError(int status, String reason, HttpFields.Mutable fields) {
        fields.put(HttpHeader.CONTENT_TYPE, JSON);
        return ByteBuffer.wrap(body(status, reason));
    }

    private static byte[] body(int status, String reason) {
        String why = reason == null || reason.isBlank() ? HttpStatus.getMessage(status) : reason;
        return Json.error(status, "the request cannot be answered: " + why).getBytes(StandardCharsets.UTF_8);
    }
}
