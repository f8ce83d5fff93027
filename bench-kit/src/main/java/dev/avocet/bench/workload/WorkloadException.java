package dev.avocet.bench.workload;

/** A workload that is not there, or not as it must be; its message is for the user. */
public final class WorkloadException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WorkloadException(String message) {
        super(message, null, false, false);
    }
}
