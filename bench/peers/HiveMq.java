import com.hivemq.embedded.EmbeddedHiveMQ;
import java.nio.file.Path;

/**
 * Runs HiveMQ Community Edition out of a folder that has conf, data and extensions, until the process is told to end.
 */
public final class HiveMq {
    private HiveMq() {}

    public static void main(String[] arguments) throws InterruptedException {
        Path folder = Path.of(arguments[0]);
        EmbeddedHiveMQ server = EmbeddedHiveMQ.builder()
                .withConfigurationFolder(folder.resolve("conf"))
                .withDataFolder(folder.resolve("data"))
                .withExtensionsFolder(folder.resolve("extensions"))
                .build();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> server.stop().join()));
        server.start().join();
        Thread.currentThread().join();
    }
}
