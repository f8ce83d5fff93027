package dev.avocet.core.config;

import dev.avocet.core.config.ConfigurationChange.Delete;
import dev.avocet.core.config.ConfigurationChange.DeleteMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.Put;
import dev.avocet.core.config.ConfigurationChange.PutMessagingPolicy;
import dev.avocet.core.config.ConfigurationChange.Released;
import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.object.policy.TopicPolicy;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Shape;
import dev.avocet.names.NearestName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Makes changes to a draft and finds everything that is wrong with them. Used once. */
final class ChangeApplication {
    private final Draft draft;
    private final LiveUse use;
    private final UnaryOperator<String> passwordHash;
    private final List<ConfigurationProblem> problems = new ArrayList<>();
    private final MessagingPolicyAlias alias;
    private final Set<ObjectKey> failed = new HashSet<>();
    private final Set<ObjectKey> deleted = new HashSet<>();

    ChangeApplication(Draft draft, LiveUse use, UnaryOperator<String> passwordHash) {
        this.draft = draft;
        this.use = use;
        this.passwordHash = passwordHash;
        this.alias = new MessagingPolicyAlias(draft, problems);
    }

    void apply(List<? extends ConfigurationChange> changes) throws ConfigurationRefusedException {
        changes.stream()
                .sorted(Comparator.comparingInt(ChangeApplication::turn))
                .forEach(this::apply);
        new ReferenceCheck(draft, deleted, failed, problems).check();
        new AddressCheck(draft, problems).check();
        if (!problems.isEmpty()) {
            throw new ConfigurationRefusedException(problems);
        }
    }

    /** Objects come after those that they refer to, because an alias can only be resolved to what is there. */
    private static int turn(ConfigurationChange change) {
        ObjectType policies = ObjectTypes.of(TopicPolicy.class);
        return ObjectTypes.all().indexOf(keyOf(change, policies.keyOf("")).type());
    }

    private static ObjectKey keyOf(ConfigurationChange change, ObjectKey otherwise) {
        if (change instanceof Put put) {
            return put.key();
        }
        if (change instanceof Delete delete) {
            return delete.key();
        }
        return change instanceof Released released ? released.key() : otherwise;
    }

    private void apply(ConfigurationChange change) {
        if (change instanceof Put put) {
            put(put);
        } else if (change instanceof Delete delete) {
            delete(delete);
        } else if (change instanceof Released released) {
            release(released.key());
        } else if (change instanceof PutMessagingPolicy policy) {
            alias.put(policy).ifPresent(this::put);
        } else if (change instanceof DeleteMessagingPolicy policy) {
            alias.delete(policy).ifPresent(this::delete);
        }
    }

    private void put(Put put) {
        ObjectKey key = put.key();
        ObjectProblems found = new ObjectProblems(problems, key);
        if (draft.isPendingDelete(key)) {
            found.add(Kind.IN_USE, "is being deleted; it can be changed no more, and made anew when it is gone");
            return;
        }
        ObjectMerge merge = new ObjectMerge(key, draft.find(key), put.byBroker(), passwordHash, found);
        ConfigurationObject object = merge.merge(alias.withoutMessagingPolicies(put, found));
        if (object == null) {
            failed.add(key);
        } else {
            draft.put(key, object);
            deleted.remove(key);
        }
    }

    private void delete(Delete delete) {
        ObjectKey key = delete.key();
        ObjectProblems found = new ObjectProblems(problems, key);
        if (key.type().shape() != Shape.NAMED) {
            found.add(Kind.INVALID, "cannot be deleted, because there is always one; give its properties null instead");
        } else if (draft.find(key) == null) {
            String advice = NearestName.advice(key.name(), draft.all(key.type()).keySet());
            found.add(Kind.NOT_FOUND, "does not exist" + advice);
        } else {
            delete(delete, found);
        }
    }

    private void delete(Delete delete, ObjectProblems found) {
        ObjectKey key = delete.key();
        LiveUse.Use by = use.of(key);
        LiveDeletion.missingOption(by)
                .filter(option -> !delete.options().contains(option))
                .ifPresent(option -> found.add(Kind.IN_USE, LiveDeletion.refusal(by, option)));
        if (LiveDeletion.isLater(by)) {
            draft.deleteLater(key);
        } else {
            draft.remove(key);
        }
        deleted.add(key);
    }

    private void release(ObjectKey key) {
        if (draft.isPendingDelete(key)) {
            draft.remove(key);
        }
    }
}
