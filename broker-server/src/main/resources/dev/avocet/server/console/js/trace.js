// Watches the trace of a client: what goes from and to it, line by line, for some time.
import { html, useEffect, useRef, useState } from './ui.js';
import { encoded } from './api.js';
import { events } from './events.js';
import { whole } from './format.js';

const SHOWN_LINES = 500;
const TIMES = [['60', '1 minute'], ['300', '5 minutes'], ['600', '10 minutes']];
const LEVELS = [['8', 'every packet'], ['7', 'what begins, changes or ends something']];
const MOST_LINES = 10000;
const ENDINGS = { Time: 'Its time is over.', Lines: `It has ended after ${whole(MOST_LINES)} lines.` };

const timeOf = (ms) => `${new Date(ms).toLocaleTimeString('en-GB')}.${String(ms % 1000).padStart(3, '0')}`;

export function LiveTrace({ client }) {
  const [seconds, setSeconds] = useState('60');
  const [level, setLevel] = useState('8');
  const [lines, setLines] = useState([]);
  const [count, setCount] = useState(0);
  const [leftOut, setLeftOut] = useState(0);
  const [running, setRunning] = useState(false);
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const watch = useRef(null);

  useEffect(() => () => watch.current?.abort(), []);

  function onEvent(event) {
    setCount((before) => before + event.Lines.length);
    setLeftOut((before) => before + event.LeftOut);
    setLines((before) => (event.Lines.length === 0 ? before : [...before, ...event.Lines].slice(-SHOWN_LINES)));
    if (event.Ended) {
      setSaid(ENDINGS[event.Ended]);
    }
  }

  async function start() {
    watch.current = new AbortController();
    const { signal } = watch.current;
    setLines([]);
    setCount(0);
    setLeftOut(0);
    setSaid('');
    setProblem('');
    setRunning(true);
    try {
      await events(`/service/trace/live?ClientID=${encoded(client)}&Level=${level}&Seconds=${seconds}&Lines=${MOST_LINES}`, { signal, onEvent });
      setSaid((before) => before || 'It has ended.');
    } catch (failure) {
      if (!signal.aborted) {
        setProblem(failure.message);
      }
    }
    setRunning(false);
  }

  function stop() {
    watch.current?.abort();
    setSaid('You have stopped it.');
  }

  return html`
    <h3 class="part-title">Trace</h3>
    <div class="actions">
      <select class="input is-narrow" aria-label="Trace what" value=${level} disabled=${running} onChange=${(event) => setLevel(event.target.value)}>
        ${LEVELS.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select>
      <select class="input is-narrow" aria-label="Trace for" value=${seconds} disabled=${running} onChange=${(event) => setSeconds(event.target.value)}>
        ${TIMES.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select>
      ${running ? html`<button type="button" class="button small" onClick=${stop}>Stop the trace</button>`
        : html`<button type="button" class="button small primary" onClick=${start}>Trace it live</button>`}
      <span class="muted small" role="status">${running || count > 0 || said ? `${whole(count)} lines${count > lines.length ? `, the last ${whole(lines.length)} are here` : ''}${
        leftOut > 0 ? `; ${whole(leftOut)} came too fast and are left out` : ''}. ${said}` : ''}</span>
    </div>
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${(running || lines.length > 0) && html`
      <pre class="payload mono body-view" tabindex="0" aria-label="Lines of the trace">${lines.length === 0 ? 'Nothing yet: it begins with the next packet.'
        : lines.map((line) => `${timeOf(line.Time)} ${line.Text}`).join('\n')}</pre>`}`;
}
