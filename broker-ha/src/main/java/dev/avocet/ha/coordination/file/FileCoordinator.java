package dev.avocet.ha.coordination.file;

import dev.avocet.ha.coordination.Answers;
import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Coordinator;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.Watches;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the register in a directory on a disk that both nodes share. The lock makes writers take turns; that a lock was
 * lost without its holder's knowledge does no harm, as {@link RegisterFiles} shows.
 *
 * <p>The file system needs hard links and locks that hold across machines: NFS 4, GFS2, OCFS2.
 */
public final class FileCoordinator implements Coordinator {
    private static final Logger LOG = LoggerFactory.getLogger(FileCoordinator.class);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final long LOCK_RETRY_NS = 2_000_000;

    private final Path directory;
    private final RegisterFiles files;
    private final Answers answers;
    private final Watches watches = new Watches();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "coordination-poll");
        thread.setDaemon(true);
        return thread;
    });

    private FileCoordinator(Path directory, Duration timeout) {
        this.directory = directory;
        files = new RegisterFiles(directory);
        answers = new Answers(timeout, directory.toString());
    }

    /** Opens the register in that directory, which is made if need be. Blocks on the disk. */
    public static FileCoordinator open(Path directory, Duration timeout) throws CoordinationException {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new CoordinationException(
                    "The directory of the register cannot be made: " + directory + ". Check the mount and its rights.",
                    e);
        }
        FileCoordinator coordinator = new FileCoordinator(directory, timeout);
        coordinator.poller.scheduleWithFixedDelay(
                coordinator::poll, POLL.toMillis(), POLL.toMillis(), TimeUnit.MILLISECONDS);
        return coordinator;
    }

    @Override
    public CompletionStage<Register> read() {
        return answers.ask(files::newest);
    }

    @Override
    public CompletionStage<CasResult> compareAndSet(Register expected, Register next) {
        return answers.ask(() -> {
            try (FileChannel channel = FileChannel.open(
                            directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = lock(channel)) {
                assert lock.isValid();
                Register current = files.newest();
                if (!current.equals(expected) || !next.mayFollow(current)) {
                    return CasResult.of(current, next);
                }
                return files.write(next) ? new CasResult.Written(next) : CasResult.of(files.newest(), next);
            }
        });
    }

    @Override
    public Watch watch(Consumer<Register> listener) {
        return watches.add(listener);
    }

    @Override
    public void close() {
        poller.shutdownNow();
        answers.close();
    }

    /** Only the thread that asks comes here, so it may wait; the JVM's own lock table does not queue. */
    private FileLock lock(FileChannel channel) throws IOException, TimeoutException, InterruptedException {
        long tries = Math.max(1, answers.timeout().toNanos() / LOCK_RETRY_NS);
        for (long i = 0; i < tries; i++) {
            FileLock lock = tryLock(channel);
            if (lock != null) {
                return lock;
            }
            LockSupport.parkNanos(LOCK_RETRY_NS);
            if (Thread.interrupted()) {
                throw new InterruptedException("closed");
            }
        }
        throw new TimeoutException("another process holds the lock");
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another coordinator of this process
        }
    }

    private void poll() {
        try {
            Register newest = files.newest();
            answers.later(() -> watches.tell(newest));
        } catch (IOException | CoordinationException | RuntimeException e) {
            LOG.warn("The register in {} cannot be read: {}", directory, e.toString());
        }
    }
}
