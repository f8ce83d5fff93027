// The broker's stream of figures, once a second, while a page that wants it is to be seen.
import { useEffect, useState } from './ui.js';
import { Refused, tell } from './api.js';
import { events } from './events.js';

const RETRY_MS = 2000;
const BUSY_RETRY_MS = 10000;
const QUIET_MS = 10000;

const wait = (milliseconds, signal) => new Promise((done) => {
  function end() {
    clearTimeout(timer);
    signal.removeEventListener('abort', end); // the signal lives as long as the page
    done();
  }
  const timer = setTimeout(end, milliseconds);
  signal.addEventListener('abort', end);
});

/** One stream, which is broken off when nothing comes for some seconds: a host that is gone does not say so. */
async function watch(signal, onEvent, onProblem) {
  const reading = new AbortController();
  const end = () => reading.abort();
  let timer = setTimeout(end, QUIET_MS);
  signal.addEventListener('abort', end);
  try {
    await events('/service/live', {
      background: true,
      signal: reading.signal,
      onBegin: () => onProblem(''),
      onEvent: (event) => {
        clearTimeout(timer);
        timer = setTimeout(end, QUIET_MS);
        onEvent(event);
      },
    });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

/** Asks again and again until the signal; a stream ends by itself after some minutes. */
async function follow(signal, onEvent, onProblem) {
  while (!signal.aborted) {
    let pause = 0;
    try {
      await watch(signal, onEvent, onProblem);
    } catch (failure) {
      if (failure.status === 401) {
        return;
      }
      pause = RETRY_MS;
      if (failure instanceof Refused) {
        onProblem(failure.message);
        pause = BUSY_RETRY_MS;
      } else if (!signal.aborted) {
        tell('unreachable'); // told above the page
      }
    }
    if (pause && !signal.aborted) {
      await wait(pause, signal);
    }
  }
}

/** What a counter grew by in a second, between two events. */
export function growth(now, before, name) {
  if (!now?.Counters || !before?.Counters || now.Time <= before.Time) {
    return NaN;
  }
  return (Math.max(0, now.Counters[name] - before.Counters[name]) * 1000) / (now.Time - before.Time);
}

/** The last event and the one before it; null until there is one. */
export function useLive() {
  const [seen, setSeen] = useState({ now: null, before: null });
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let reading = null;
    function look() {
      reading?.abort();
      reading = null;
      if (!document.hidden) {
        reading = new AbortController();
        follow(reading.signal, (now) => setSeen((last) => ({ now, before: last.now })), setProblem);
      }
    }
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      reading?.abort();
    };
  }, []);
  return { ...seen, problem };
}
