package dev.avocet.dist.pair;

import dev.avocet.jms.InDoubtException;
import jakarta.jms.JMSException;
import jakarta.jms.TransactionRolledBackException;

/** What became of a transaction, by what its commit said. */
enum Transactions {
    COMMITTED,
    ROLLED_BACK,
    IN_DOUBT;

    interface Work {
        void run() throws JMSException;
    }

    static Transactions outcome(Work commit) throws JMSException {
        try {
            commit.run();
            return COMMITTED;
        } catch (InDoubtException e) {
            return IN_DOUBT;
        } catch (TransactionRolledBackException e) {
            return ROLLED_BACK;
        }
    }
}
