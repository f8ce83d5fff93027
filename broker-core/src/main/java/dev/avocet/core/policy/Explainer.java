package dev.avocet.core.policy;

import dev.avocet.core.policy.Explanation.Difference;
import dev.avocet.core.policy.Explanation.Tried;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Says why a client may do something: has the policies decide as they do for clients, and then asks each rule, in its
 * order, which of its parts does not apply.
 */
final class Explainer {
    private final PolicySet policies;
    private final ClientFacts client;

    Explainer(PolicySet policies, ClientFacts client) {
        this.policies = policies;
        this.client = client;
    }

    Explanation connect() {
        PolicySet.ConnectRule decides = policies.connectRule(client);
        List<Tried> all = policies.connectRules().stream()
                .map(rule -> new Tried(rule.name(), rule.clients().differences(client)))
                .toList();
        return explanation(
                PolicyQuestion.CONNECT,
                policies.connect(client).allowed(),
                decides == null ? null : decides.name(),
                all);
    }

    Explanation of(PolicyQuestion question, String name) {
        Decision decision = policies.boundTo(client).decide(question, name);
        List<Tried> all = policies.rules(question).stream()
                .map(rule -> tried(rule, question, name))
                .toList();
        Limits limits = decision.limits();
        return explanation(
                question,
                decision.allowed(),
                limits == null ? null : limits.policy().name(),
                all);
    }

    private Tried tried(Rule<?> rule, PolicyQuestion question, String name) {
        List<Difference> differences = new ArrayList<>(rule.clients().differences(client));
        if (!rule.names().matches(name, client)) {
            differences.add(new Difference(question.nameProperty(), rule.names().toString(), name));
        }
        Enum<?> action = Objects.requireNonNull(question.action());
        if (!rule.actions().contains(action)) {
            differences.add(new Difference("ActionList", words(rule.actions()), action.toString()));
        }
        return new Tried(rule.name(), differences);
    }

    private static String words(Iterable<?> actions) {
        List<String> words = new ArrayList<>();
        actions.forEach(action -> words.add(action.toString()));
        return String.join(",", words);
    }

    /** @param policy the one that has decided; it has no differences, and those before it have */
    private static Explanation explanation(
            PolicyQuestion question, boolean allowed, @Nullable String policy, List<Tried> all) {
        int first = 0;
        while (first < all.size() && !all.get(first).differences().isEmpty()) {
            first++;
        }
        boolean applies = first < all.size();
        String found = applies ? all.get(first).policy() : null;
        if (applies != allowed || !Objects.equals(found, policy)) {
            throw new IllegalStateException(
                    "the policies answer with " + policy + ", and their parts with " + found + " for " + question);
        }
        int asked = applies ? first + 1 : first;
        return new Explanation(
                allowed,
                question.policyType(),
                policy,
                true,
                all.subList(0, asked),
                all.subList(asked, all.size()).stream().map(Tried::policy).toList());
    }
}
