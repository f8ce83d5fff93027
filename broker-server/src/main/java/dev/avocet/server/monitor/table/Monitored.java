package dev.avocet.server.monitor.table;

import java.util.List;

/** A kind of things that can be asked about. Any thread. */
public interface Monitored {
    /** What it is called. */
    String name();

    /** What it tells, for people. */
    String summary();

    /** What may be said in a question. */
    List<Option> options();

    /** What an answer has for each thing. */
    List<? extends Column<?>> columns();

    /** Answers. May wait for the loops, for some seconds at most. */
    Report ask(Question question) throws MonitorException;
}
