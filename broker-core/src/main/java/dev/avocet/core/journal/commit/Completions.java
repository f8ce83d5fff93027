package dev.avocet.core.journal.commit;

import dev.avocet.core.loop.IoLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Sorts batches by loop and gives each loop all of its own in one task. One thread. */
final class Completions {
    private final List<Group> groups = new ArrayList<>();

    void add(Batch batch) {
        int index = batch.loop().index();
        while (groups.size() <= index) {
            groups.add(new Group());
        }
        groups.get(index).add(batch);
    }

    /** Sends everything off. A loop that is gone has no client left to tell. */
    void handOver() {
        for (int i = 0; i < groups.size(); i++) {
            groups.get(i).send();
        }
    }

    private static final class Group {
        private List<Batch> batches = new ArrayList<>();
        private @Nullable IoLoop loop;

        void add(Batch batch) {
            loop = batch.loop();
            batches.add(batch);
        }

        void send() {
            IoLoop target = loop;
            if (target == null || batches.isEmpty()) {
                return;
            }
            List<Batch> committed = batches;
            batches = new ArrayList<>();
            try {
                target.execute(() -> complete(committed, 0, target));
            } catch (RejectedExecutionException e) {
                // the loop has ended before us; its clients are disconnected, no client waits for the answer
            }
        }

        private static void complete(List<Batch> committed, int from, IoLoop loop) {
            int done = from;
            try {
                for (; done < committed.size(); done++) {
                    Batch batch = committed.get(done);
                    batch.completion().onCommitted(batch);
                }
            } finally {
                int next = done + 1;
                if (next < committed.size()) { // one has failed: the others belong to another call
                    loop.execute(() -> complete(committed, next, loop));
                }
            }
        }
    }
}
