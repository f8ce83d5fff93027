package dev.avocet.jms;

import static dev.avocet.jms.ScriptedServer.described;
import static dev.avocet.jms.ScriptedServer.frame;
import static dev.avocet.jms.ScriptedServer.header;
import static dev.avocet.jms.ScriptedServer.joined;
import static dev.avocet.jms.ScriptedServer.list;
import static dev.avocet.jms.ScriptedServer.symbol;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A server of SCRAM-SHA-256 that lets each client in, and then proves itself in the way that a test wants. It says
 * nothing after the login.
 */
final class ScramScript implements AutoCloseable {
    /** How it proves that it knows the password. */
    enum Proof {
        /** In the additional data of the outcome, as our broker does. */
        IN_OUTCOME,
        /** As one more challenge, as others do. */
        IN_CHALLENGE,
        /** Both. */
        IN_BOTH,
        NONE,
        EMPTY,
        OF_ANOTHER_PASSWORD,
        OF_ANOTHER_LOGIN,
        ERROR,
        /** It does not even challenge the client. */
        OUTCOME_AT_ONCE,
        /** It cuts the connection in place of an outcome. */
        CUT
    }

    private static final byte[] SALT = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
    private static final int ITERATIONS = 4_096;

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final String password;
    private final Proof proof;

    ScramScript(final String password, final Proof proof) throws IOException {
        this.password = password;
        this.proof = proof;
        final Thread thread = new Thread(this::accept, "SCRAM script");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }

    private void accept() {
        while (!listening.isClosed()) {
            serveNext();
        }
    }

    private void serveNext() {
        try (Socket socket = listening.accept()) {
            serve(new DataInputStream(socket.getInputStream()), socket.getOutputStream());
        } catch (final IOException e) {
            return; // that client has gone, or the test is over
        }
    }

    private void serve(final DataInputStream input, final OutputStream output) throws IOException {
        input.readNBytes(8);
        output.write(header(3));
        output.write(sasl(0x40, symbol("SCRAM-SHA-256")));
        final String clientFirst = text(input, "n,,");
        final String bare = clientFirst.substring(3);
        if (proof != Proof.OUTCOME_AT_ONCE) {
            final String serverFirst = bare.replaceAll(".*,r=", "r=") + "server,s=" + base64(SALT) + ",i=" + ITERATIONS;
            output.write(sasl(0x42, binary(serverFirst)));
            final String clientFinal = text(input, "c=");
            final String message =
                    bare + "," + serverFirst + "," + clientFinal.substring(0, clientFinal.indexOf(",p="));
            prove(input, output, message);
        } else {
            output.write(sasl(0x44, new byte[] {0x50, 0}, binary("v=AAAA")));
        }
        if (proof != Proof.CUT) {
            input.readAllBytes();
        }
    }

    private void prove(final DataInputStream input, final OutputStream output, final String message)
            throws IOException {
        final byte[] ok = {0x50, 0};
        final byte[] right = binary("v=" + signature(password, message));
        if (proof == Proof.IN_CHALLENGE || proof == Proof.IN_BOTH) {
            output.write(sasl(0x42, right));
            input.readNBytes(input.readInt() - 4);
        }
        switch (proof) {
            case IN_OUTCOME, IN_BOTH -> output.write(sasl(0x44, ok, right));
            case IN_CHALLENGE, NONE -> output.write(sasl(0x44, ok));
            case EMPTY -> output.write(sasl(0x44, ok, binary("")));
            case OF_ANOTHER_PASSWORD -> output.write(sasl(0x44, ok, binary("v=" + signature("other", message))));
            case OF_ANOTHER_LOGIN -> output.write(sasl(0x44, ok, binary("v=" + signature(password, message + "x"))));
            case ERROR -> output.write(sasl(0x44, ok, binary("e=other-error")));
            case OUTCOME_AT_ONCE, CUT -> {
                // said already, or nothing to say
            }
        }
    }

    /** The text in the next frame from this beginning to the end of its binary, of 255 bytes at most. */
    private static String text(final DataInputStream input, final String beginning) throws IOException {
        final byte[] body = input.readNBytes(input.readInt() - 4);
        final String all = new String(body, StandardCharsets.ISO_8859_1);
        final int from = all.indexOf(beginning);
        return new String(body, from, body[from - 1] & 0xff, StandardCharsets.UTF_8);
    }

    private static String signature(final String password, final String message) {
        try {
            final PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), SALT, ITERATIONS, 256);
            final byte[] salted = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return base64(hmac(hmac(salted, "Server Key"), message));
        } catch (final GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] hmac(final byte[] key, final String message) throws GeneralSecurityException {
        final Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] sasl(final int code, final byte[]... fields) {
        return frame(1, 0, described(code, list(fields)));
    }

    private static byte[] binary(final String text) {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return joined(new byte[] {(byte) 0xa0, (byte) bytes.length}, bytes);
    }

    private static String base64(final byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
