package dev.avocet.core.queue;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.message.Message;
import dev.avocet.core.message.QualityOfService;
import dev.avocet.core.message.TopicName;
import dev.avocet.core.queue.reference.QueueStore;
import dev.avocet.core.queue.reference.ReferencePages;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Has every message, and room in memory for all that were just put. */
final class AnsweringStore implements QueueStore {
    static final Message MESSAGE = new Message(
            TopicName.of("orders"),
            true,
            QualityOfService.AT_LEAST_ONCE,
            false,
            new byte[65],
            TestProperties.PLAIN,
            Message.NEVER,
            "publisher");

    private final @Nullable ReferencePages pages;

    /** @param pages for references that the heap has no room for */
    AnsweringStore(@Nullable ReferencePages pages) {
        this.pages = pages;
    }

    @Override
    public @Nullable ReferencePages pages() {
        return pages;
    }

    @Override
    public void acknowledged(long queueId, long reference, long position, int storedBytes, IoLoop caller) {}

    @Override
    public void delivered(long queueId, int count, long[] references, IoLoop caller) {}

    @Override
    public void abandoned(long position, int storedBytes) {}

    @Override
    public void fetch(long[] positions, int[] storedBytes, int count, IoLoop loop, Fetched then) {
        Message[] messages = new Message[count];
        Arrays.fill(messages, MESSAGE);
        loop.execute(() -> then.onFetched(messages));
    }

    @Override
    public void lost(String queue, long position) {
        throw new AssertionError("nothing is damaged");
    }

    @Override
    public boolean keepInMemory(int sizeBytes) {
        return true;
    }

    @Override
    public void letGo(int sizeBytes) {}
}
