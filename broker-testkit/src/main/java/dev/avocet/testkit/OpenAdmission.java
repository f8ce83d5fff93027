package dev.avocet.testkit;

import dev.avocet.core.frontend.FrontEnd.Admission;
import dev.avocet.core.metrics.LoopCounters;
import dev.avocet.core.policy.EndpointPolicies;
import dev.avocet.core.security.login.ClientOrigin;

/** For connections without a network: an endpoint without policies that takes packets of up to a mebibyte. */
public final class OpenAdmission implements Admission {
    private final EndpointPolicies policies = new EndpointPolicies();
    private final LoopCounters counters = new LoopCounters();

    @Override
    public int maxPacketBytes() {
        return 1 << 20;
    }

    @Override
    public ClientOrigin origin() {
        return new ClientOrigin("test", null, null);
    }

    @Override
    public EndpointPolicies policies() {
        return policies;
    }

    @Override
    public LoopCounters counters() {
        return counters;
    }

    @Override
    public void accepted() {
        // Nothing is counted.
    }
}
