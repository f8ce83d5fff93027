import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What a round trip through a broker costs at least: a requester, a middle and a responder, blocking sockets, and
 * nothing but bytes. A request goes from the requester to the middle and on to the responder, the answer the same way
 * back, one at a time. The middle is a process of its own; the other two are threads of another one, as with jmsbench.
 * With {@code forced} the middle writes each message to a file and forces it before it sends it on, as a store does.
 *
 * <p>{@code java bench/pingpong/PingPong.java BYTES SECONDS [forced]} prints the median and the 99th percentile.
 */
public final class PingPong {
    private static final String SOURCE = Path.of("bench", "pingpong", "PingPong.java").toString();
    private static final String MIDDLE = "middle";
    private static final int PORT_DIGITS = 5;
    private static final int WARM_UP_SECONDS = 3;
    private static final int MOST_ROUND_TRIPS = 5_000_000;

    private PingPong() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 0 && arguments[0].equals(MIDDLE)) {
            serve(Integer.parseInt(arguments[1]), arguments.length > 2);
            return;
        }
        int bytes = Integer.parseInt(arguments[0]);
        int seconds = Integer.parseInt(arguments[1]);
        Process middle = middle(bytes, arguments.length > 2);
        try {
            // The middle prints its port once it listens.
            int port = Integer.parseInt(
                    new String(middle.getInputStream().readNBytes(PORT_DIGITS), StandardCharsets.US_ASCII).strip());
            Socket requester = connected(port);
            Socket responder = connected(port);
            Thread answering = new Thread(() -> answer(responder, bytes), "responder");
            answering.setDaemon(true);
            answering.start();
            measure(requester, bytes, seconds);
            requester.close();
            responder.close();
        } finally {
            middle.destroy();
            middle.waitFor();
        }
    }

    private static Process middle(int bytes, boolean forced) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(SOURCE, MIDDLE, Integer.toString(bytes)));
        if (forced) {
            command.add("forced");
        }
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private static Socket connected(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return socket;
    }

    /** The first connection is the requester's. */
    private static void serve(int bytes, boolean forced) throws IOException, InterruptedException {
        try (ServerSocket door = new ServerSocket(0, 2, InetAddress.getLoopbackAddress())) {
            System.out.printf("%" + PORT_DIGITS + "d", door.getLocalPort());
            System.out.flush();
            Socket requester = door.accept();
            Socket responder = door.accept();
            requester.setTcpNoDelay(true);
            responder.setTcpNoDelay(true);
            Thread back = new Thread(() -> forward(responder, requester, bytes, forced), "back");
            back.start();
            forward(requester, responder, bytes, forced);
            back.join();
        }
    }

    private static void forward(Socket from, Socket to, int bytes, boolean forced) {
        byte[] message = new byte[bytes];
        try (FileChannel file = forced ? openLog() : null) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            OutputStream out = to.getOutputStream();
            while (true) {
                in.readFully(message);
                if (file != null) {
                    // The same room again and again, as a store prepares room before it is needed.
                    file.write(ByteBuffer.wrap(message), 0);
                    file.force(false);
                }
                out.write(message);
            }
        } catch (EOFException ended) {
            // The other end has measured enough.
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static FileChannel openLog() throws IOException {
        Path file = Files.createTempFile(Path.of("").toAbsolutePath(), "ping-pong", ".log");
        FileChannel log =
                FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
        log.write(ByteBuffer.allocate(1 << 20), 0);
        log.force(true);
        return log;
    }

    private static void answer(Socket socket, int bytes) {
        byte[] message = new byte[bytes];
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            while (true) {
                in.readFully(message);
                out.write(message);
            }
        } catch (IOException ended) {
            // closed by the requester's thread
        }
    }

    private static void measure(Socket socket, int bytes, int seconds) throws IOException {
        byte[] message = new byte[bytes];
        DataInputStream in = new DataInputStream(socket.getInputStream());
        OutputStream out = socket.getOutputStream();
        long[] tookNs = new long[MOST_ROUND_TRIPS];
        int count = 0;
        long beganNs = System.nanoTime();
        long countFromNs = beganNs + TimeUnit.SECONDS.toNanos(WARM_UP_SECONDS);
        long endNs = countFromNs + TimeUnit.SECONDS.toNanos(seconds);
        while (count < tookNs.length) {
            long sentNs = System.nanoTime();
            if (sentNs - endNs >= 0) {
                break;
            }
            out.write(message);
            in.readFully(message);
            if (sentNs - countFromNs >= 0) {
                tookNs[count++] = System.nanoTime() - sentNs;
            }
        }
        long[] sorted = Arrays.copyOf(tookNs, count);
        Arrays.sort(sorted);
        System.out.printf(
                "%d bytes, %d round trips: p50 %.1f us, p99 %.1f us%n",
                bytes, count, sorted[count / 2] / 1e3, sorted[(int) (count * 0.99)] / 1e3);
    }
}
