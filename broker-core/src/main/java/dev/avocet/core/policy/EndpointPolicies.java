package dev.avocet.core.policy;

import dev.avocet.core.config.Configuration;
import dev.avocet.core.config.object.messaging.Endpoint;
import org.jspecify.annotations.Nullable;

/**
 * The policies of an endpoint at this time. Its connections look here whenever they need a decision, so a change holds
 * at once. Any thread; changes come from one.
 */
public final class EndpointPolicies {
    private volatile @Nullable PolicySet current;

    /**
     * What holds now; null while the endpoint has no policies and everything is allowed. The same object until
     * something changes.
     */
    public @Nullable PolicySet current() {
        return current;
    }

    /**
     * Why a client may do something or not, by the policies that hold now.
     *
     * @param name of what the question is about; empty where that has none
     */
    public Explanation explain(PolicyQuestion question, ClientFacts client, String name) {
        PolicySet now = current;
        if (now == null) {
            return Explanation.open(question);
        }
        Explainer explainer = new Explainer(now, client);
        return question == PolicyQuestion.CONNECT ? explainer.connect() : explainer.of(question, name);
    }

    /**
     * Takes the policies of an endpoint over. Where the configuration does not have it any more, nothing is allowed.
     */
    public void apply(Configuration configuration, String endpointName) {
        Endpoint endpoint = configuration.find(Endpoint.class, endpointName).orElse(null);
        PolicySet present = current;
        if (endpoint == null) {
            current = PolicySet.NOTHING;
        } else if (present == null || !present.isOf(configuration, endpoint)) {
            current = PolicySet.of(configuration, endpoint);
        }
    }
}
