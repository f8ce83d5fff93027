// The broker's stream of figures, once a second, while a page that wants it is to be seen.
import { useEffect, useState } from './ui.js';
import { open, tell } from './api.js';

const RETRY_MS = 2000;
const BUSY_RETRY_MS = 10000;

const wait = (milliseconds, signal) => new Promise((done) => {
  const timer = setTimeout(done, milliseconds);
  signal.addEventListener('abort', () => { clearTimeout(timer); done(); });
});

async function read(body, onEvent) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += decoder.decode(value, { stream: true });
    const events = rest.split('\n\n');
    rest = events.pop();
    events.filter((event) => event.startsWith('data: ')).forEach((event) => onEvent(JSON.parse(event.slice(6))));
  }
}

/** Asks again and again until the signal; a stream ends by itself after some minutes. */
async function follow(signal, onEvent, onProblem) {
  while (!signal.aborted) {
    let pause = 0;
    try {
      const answer = await open('GET', '/api/v1/service/live', {
        background: true, signal, headers: { Accept: 'text/event-stream' },
      });
      if (answer.ok) {
        onProblem('');
        await read(answer.body, onEvent);
      } else if (answer.status === 401) {
        tell('signed-out');
        return;
      } else {
        onProblem((await answer.json()).Message || `the broker answered with status ${answer.status}`);
        pause = BUSY_RETRY_MS;
      }
    } catch {
      pause = RETRY_MS; // told above the page
      if (!signal.aborted) {
        tell('unreachable');
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
  const [events, setEvents] = useState({ now: null, before: null });
  const [problem, setProblem] = useState('');
  useEffect(() => {
    let reading = null;
    function look() {
      reading?.abort();
      reading = null;
      if (!document.hidden) {
        reading = new AbortController();
        follow(reading.signal, (now) => setEvents((last) => ({ now, before: last.now })), setProblem);
      }
    }
    look();
    document.addEventListener('visibilitychange', look);
    return () => {
      document.removeEventListener('visibilitychange', look);
      reading?.abort();
    };
  }, []);
  return { ...events, problem };
}
