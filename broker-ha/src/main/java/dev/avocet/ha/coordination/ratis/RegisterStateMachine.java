package dev.avocet.ha.coordination.ratis;

import dev.avocet.ha.coordination.CasResult;
import dev.avocet.ha.coordination.CoordinationException;
import dev.avocet.ha.coordination.Register;
import dev.avocet.ha.coordination.RegisterCodec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.ratis.io.MD5Hash;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.FileInfo;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.MD5FileUtil;
import org.jspecify.annotations.Nullable;

/** The register as the group has it: each member applies the same changes in the same order. */
final class RegisterStateMachine extends BaseStateMachine {
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final Consumer<Register> listener;

    /** Written by the group's thread that applies, read by those that answer. */
    private volatile Register register = Register.NONE;

    RegisterStateMachine(Consumer<Register> listener) {
        this.listener = listener;
    }

    /** What this member knows, which may be old. */
    Register known() {
        return register;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage) throws IOException {
        super.initialize(server, groupId, raftStorage);
        storage.init(raftStorage);
        load(storage.loadLatestSnapshot());
    }

    @Override
    public SimpleStateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        CompletableFuture<Message> answer;
        try {
            RegisterMessages.Change change =
                    RegisterMessages.change(entry.getStateMachineLogEntry().getLogData());
            answer = CompletableFuture.completedFuture(RegisterMessages.answer(apply(change)));
        } catch (CoordinationException e) { // the same at each member: the change comes to nothing
            answer = CompletableFuture.failedFuture(e);
        }
        updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
        return answer;
    }

    private CasResult apply(RegisterMessages.Change change) {
        Register current = register;
        Register next = change.next();
        if (!current.equals(change.expected()) || !next.mayFollow(current)) {
            return CasResult.of(current, next);
        }
        register = next;
        listener.accept(next);
        return new CasResult.Written(next);
    }

    @Override
    public CompletableFuture<Message> query(Message request) {
        return CompletableFuture.completedFuture(RegisterMessages.answer(new CasResult.Written(register)));
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex applied = getLastAppliedTermIndex();
        File file = storage.getSnapshotFile(applied.getTerm(), applied.getIndex());
        Files.write(file.toPath(), RegisterCodec.encode(register));
        MD5Hash hash = MD5FileUtil.computeAndSaveMd5ForFile(file);
        storage.updateLatestSnapshot(new SingleFileSnapshotInfo(new FileInfo(file.toPath(), hash), applied));
        return applied.getIndex();
    }

    /** Before the leader's snapshot takes the place of what this member has. */
    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    @Override
    public void reinitialize() throws IOException {
        getLifeCycle().transition(LifeCycle.State.STARTING);
        load(storage.loadLatestSnapshot());
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load(@Nullable SingleFileSnapshotInfo snapshot) throws IOException {
        if (snapshot == null) {
            return;
        }
        try {
            register =
                    RegisterCodec.decode(Files.readAllBytes(snapshot.getFile().getPath()));
        } catch (CoordinationException e) {
            throw new IOException("The snapshot " + snapshot.getFile().getPath() + " cannot be read", e);
        }
        setLastAppliedTermIndex(snapshot.getTermIndex());
        listener.accept(register);
    }
}
