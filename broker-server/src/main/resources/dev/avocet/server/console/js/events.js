// A stream of events that the broker answers with.
import { open, Refused, tell } from './api.js';

/** Hands on each event until the stream or the signal ends; throws Refused, Unreachable, or what broke the stream. */
export async function events(path, { signal, background, onBegin = () => {}, onEvent }) {
  const answer = await open('GET', `/api/v1${path}`, { background, signal, headers: { Accept: 'text/event-stream' } });
  if (!answer.ok) {
    if (answer.status === 401) {
      tell('signed-out');
    }
    throw new Refused(answer.status, await answer.json());
  }
  onBegin();
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) {
      return;
    }
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop();
    parts.filter((part) => part.startsWith('data: ')).forEach((part) => onEvent(JSON.parse(part.slice(6))));
  }
}
