package dev.avocet.core.security.throttle;

import dev.avocet.core.loop.IoLoop;
import dev.avocet.core.metrics.Counter;
import dev.avocet.core.security.login.AuthenticationExchange;
import dev.avocet.core.security.login.AuthenticationExchange.Step;
import dev.avocet.core.security.login.Authenticator;
import dev.avocet.core.security.login.LoginRefusal;
import dev.avocet.core.security.login.LoginRequest;
import dev.avocet.core.security.login.LoginResult;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets logins wait, on a timer of their loop, before another authenticator is asked, as long as the
 * {@link LoginThrottle} wants. Too many who wait are refused.
 */
public final class ThrottledAuthenticator implements Authenticator {
    private final Authenticator inner;
    private final LoginThrottle throttle;

    public ThrottledAuthenticator(Authenticator inner, LoginThrottle throttle) {
        this.inner = inner;
        this.throttle = throttle;
    }

    @Override
    public void authenticate(LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        long delayMs = Math.max(throttle.addressDelayMs(request.origin()), throttle.nameDelayMs(request.userName()));
        Runnable refuse = () -> answer.accept(new LoginResult.Refused(LoginRefusal.TOO_MANY_FAILURES));
        after(delayMs, request, loop, () -> inner.authenticate(request, loop, noting(request, answer)), refuse);
    }

    @Override
    public void identify(String provedName, LoginRequest request, IoLoop loop, Consumer<LoginResult> answer) {
        inner.identify(provedName, request, loop, answer);
    }

    @Override
    public boolean needsPassword() {
        return inner.needsPassword();
    }

    @Override
    public @Nullable AuthenticationExchange begin(String method, LoginRequest request, IoLoop loop) {
        AuthenticationExchange begun = inner.begin(method, request, loop);
        return begun == null ? null : new ThrottledExchange(begun, request, loop);
    }

    private Consumer<LoginResult> noting(LoginRequest request, Consumer<LoginResult> answer) {
        return result -> {
            String claimed = request.userName();
            if (result instanceof LoginResult.Granted) {
                throttle.succeeded(claimed);
            } else if (claimed != null && ((LoginResult.Refused) result).reason() == LoginRefusal.BAD_CREDENTIALS) {
                throttle.failed(request.origin(), claimed);
            } else if (request.password() != null
                    && ((LoginResult.Refused) result).reason() == LoginRefusal.BAD_CREDENTIALS) {
                throttle.failed(request.origin());
            }
            answer.accept(result);
        };
    }

    private void after(long delayMs, LoginRequest request, IoLoop loop, Runnable then, Runnable refuse) {
        if (delayMs == 0) {
            then.run();
            return;
        }
        loop.counters().increment(Counter.LOGINS_THROTTLED);
        if (!throttle.enter(request.origin())) {
            refuse.run();
            return;
        }
        var unused = loop.timers().schedule(TimeUnit.MILLISECONDS.toNanos(delayMs), () -> {
            throttle.leave(request.origin());
            then.run();
        });
    }

    /** Its first step waits for the address; the end waits for the user name, which is known only then. */
    private final class ThrottledExchange implements AuthenticationExchange {
        private final AuthenticationExchange exchange;
        private final LoginRequest request;
        private final IoLoop loop;
        private boolean begun;

        ThrottledExchange(AuthenticationExchange exchange, LoginRequest request, IoLoop loop) {
            this.exchange = exchange;
            this.request = request;
            this.loop = loop;
        }

        @Override
        public void step(byte @Nullable [] clientData, Consumer<Step> answer) {
            long delayMs = begun ? 0 : throttle.addressDelayMs(request.origin());
            begun = true;
            Runnable refuse = () -> answer.accept(new Step.Failure(LoginRefusal.TOO_MANY_FAILURES, null));
            Runnable step = () -> exchange.step(clientData, next -> afterStep(next, answer, refuse));
            after(delayMs, request, loop, step, refuse);
        }

        @Override
        public @Nullable String userName() {
            return exchange.userName();
        }

        private void afterStep(Step step, Consumer<Step> answer, Runnable refuse) {
            if (step instanceof Step.Success success) {
                String userName = success.identity().userName();
                Runnable succeed = () -> {
                    throttle.succeeded(userName);
                    answer.accept(step);
                };
                after(throttle.nameDelayMs(userName), request, loop, succeed, refuse);
            } else if (step instanceof Step.Failure failure && failure.userName() != null) {
                long delayMs = throttle.nameDelayMs(failure.userName());
                throttle.failed(request.origin(), failure.userName());
                after(delayMs, request, loop, () -> answer.accept(step), refuse);
            } else {
                if (step instanceof Step.Failure failure && failure.reason() == LoginRefusal.BAD_CREDENTIALS) {
                    throttle.failed(request.origin());
                }
                answer.accept(step);
            }
        }
    }
}
