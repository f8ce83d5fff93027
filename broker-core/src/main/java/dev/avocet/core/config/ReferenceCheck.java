package dev.avocet.core.config;

import dev.avocet.core.config.object.ObjectTypes;
import dev.avocet.core.config.schema.ConfigurationObject;
import dev.avocet.core.config.schema.ConfigurationProblem;
import dev.avocet.core.config.schema.ConfigurationProblem.Kind;
import dev.avocet.core.config.schema.ObjectKey;
import dev.avocet.core.config.schema.ObjectProblems;
import dev.avocet.core.config.schema.ObjectType;
import dev.avocet.core.config.schema.Property;
import dev.avocet.names.NearestName;
import java.util.List;
import java.util.Set;

/** Every reference leads to an object that is there and stays there. */
final class ReferenceCheck {
    private final Draft draft;
    private final Set<ObjectKey> deleted;
    private final Set<ObjectKey> failed;
    private final List<ConfigurationProblem> problems;

    /**
     * @param deleted by the same changes
     * @param failed to be made by the same changes, about which problems were reported
     */
    ReferenceCheck(Draft draft, Set<ObjectKey> deleted, Set<ObjectKey> failed, List<ConfigurationProblem> problems) {
        this.draft = draft;
        this.deleted = deleted;
        this.failed = failed;
        this.problems = problems;
    }

    void check() {
        for (ObjectType type : ObjectTypes.all()) {
            for (Property property : type.properties()) {
                property.target().flatMap(ObjectTypes::named).ifPresent(target -> check(type, property, target));
            }
        }
    }

    private void check(ObjectType type, Property property, ObjectType target) {
        draft.all(type).forEach((name, holder) -> check(type.keyOf(name), holder, property, target));
    }

    private void check(ObjectKey holder, ConfigurationObject object, Property property, ObjectType target) {
        if (draft.isPendingDelete(holder)) {
            return;
        }
        for (String name : property.referencesIn(object)) {
            ObjectKey key = target.keyOf(name);
            boolean there = draft.find(key) != null && !draft.isPendingDelete(key);
            if (!there && !failed.contains(key)) {
                report(holder, property, key);
            }
        }
    }

    private void report(ObjectKey holder, Property property, ObjectKey missing) {
        if (deleted.contains(missing)) {
            new ObjectProblems(problems, missing)
                    .add(
                            Kind.IN_USE,
                            "is in use by " + holder + "; take it out of " + property.name() + " there first");
            return;
        }
        String advice =
                NearestName.advice(missing.name(), draft.all(missing.type()).keySet());
        new ObjectProblems(problems, holder)
                .add(
                        property.name(),
                        draft.isPendingDelete(missing)
                                ? missing + " is being deleted; name another"
                                : "there is no " + missing + (advice.isEmpty() ? "; create it first" : advice));
    }
}
