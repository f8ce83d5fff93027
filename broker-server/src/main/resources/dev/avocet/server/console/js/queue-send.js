// Sends a message to a queue, for who has no client at hand.
import { html, useState } from './ui.js';
import { encoded, request } from './api.js';

const KINDS = [['text', 'Text'], ['json', 'JSON'], ['base64', 'Bytes, in Base64']];
const TYPES = [['text', 'text'], ['number', 'number'], ['truth', 'true or false']];
const PRIORITIES = Array.from({ length: 10 }, (unused, each) => [String(each), each === 4 ? '4, the usual one' : String(each)]);
const EMPTY = { body: '', kind: 'text', priority: '4', persistent: true, expiry: '', delay: '', type: '', correlation: '', replyTo: '', group: '' };
const NO_PAIR = { name: '', value: '', type: 'text' };

function Text({ label, value, onChange, ...more }) {
  return html`<label class="filter"><span>${label}</span>
    <input class="input" autocomplete="off" autocapitalize="none" spellcheck=${false} value=${value}
      onInput=${(event) => onChange(event.target.value)} ...${more} /></label>`;
}

function Choice({ label, value, choices, onChange }) {
  return html`<label class="filter"><span>${label}</span>
    <select class="input" aria-label=${label} value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${choices.map(([each, text]) => html`<option key=${each} value=${each}>${text}</option>`)}</select></label>`;
}

function seconds(label, text) {
  if (text === '') {
    return undefined;
  }
  if (!/^\d{1,9}$/.test(text)) {
    throw new Error(`${label}: give whole seconds, or leave it empty.`);
  }
  return Number(text);
}

function valueOf({ name, value, type }) {
  if (type === 'number') {
    if (value.trim() === '' || !Number.isFinite(Number(value))) {
      throw new Error(`Property ${name}: “${value}” is not a number.`);
    }
    return Number(value);
  }
  if (type === 'truth') {
    if (value !== 'true' && value !== 'false') {
      throw new Error(`Property ${name}: write true or false.`);
    }
    return value === 'true';
  }
  return value;
}

/** The message as the user has written it, as REST takes it; throws what to do. */
function bodyOf(form, pairs) {
  if (form.kind === 'json') {
    try {
      JSON.parse(form.body);
    } catch (failure) {
      throw new Error(`The payload is not JSON: ${failure.message}.`);
    }
  }
  const properties = {};
  for (const pair of pairs.filter(({ name, value }) => name !== '' || value !== '')) {
    if (pair.name === '') {
      throw new Error('Give each property a name.');
    }
    properties[pair.name] = valueOf(pair);
  }
  return {
    Body: form.body,
    BodyEncoding: form.kind === 'base64' ? 'base64' : 'text',
    ContentType: form.kind === 'json' ? 'application/json' : undefined,
    Priority: Number(form.priority),
    Persistent: form.persistent,
    ExpirySeconds: seconds('Expires after', form.expiry),
    DelaySeconds: seconds('Delivered after', form.delay),
    Type: form.type || undefined,
    CorrelationID: form.correlation || undefined,
    ReplyTo: form.replyTo || undefined,
    GroupID: form.group || undefined,
    Properties: properties,
  };
}

/** The form; `queue` is where it goes, or the form asks for one. `onSent` hears of each message that was taken. */
export function SendForm({ queue, onSent, children }) {
  const [form, setForm] = useState(EMPTY);
  const [pairs, setPairs] = useState([NO_PAIR]);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [busy, setBusy] = useState(false);
  const change = (name) => (value) => setForm((before) => ({ ...before, [name]: value }));
  const changePair = (index, name) => (value) => setPairs((before) => before.map((pair, each) => (each === index ? { ...pair, [name]: value } : pair)));

  async function submit(event) {
    event.preventDefault();
    setProblem('');
    setSaid('');
    setBusy(true);
    try {
      const answer = await request('POST', `/service/queue/${encoded(queue)}/message`, { body: bodyOf(form, pairs) });
      setSaid(`${answer.Message} It is ${answer.MessageID}${form.delay === '' ? '' : ', and is shown among the others when its delay is over'}.`);
      onSent?.();
    } catch (failure) {
      setProblem(failure.message);
    }
    setBusy(false);
  }

  return html`
    <form class="card form is-short" onSubmit=${submit} aria-labelledby="queue-send">
      <h2 id="queue-send">Send a message</h2>
      ${children}
      <div class="filters">
        <${Choice} label="Payload is" value=${form.kind} choices=${KINDS} onChange=${change('kind')} />
        <${Choice} label="Priority" value=${form.priority} choices=${PRIORITIES} onChange=${change('priority')} />
      </div>
      <label class="field">Payload to send
        <textarea rows="4" spellcheck=${false} value=${form.body} onInput=${(event) => change('body')(event.target.value)}></textarea></label>
      <label class="check"><input type="checkbox" checked=${form.persistent} onChange=${(event) => change('persistent')(event.target.checked)} />
        Persistent: it survives when the broker is killed</label>
      <details><summary>Headers and more</summary>
        <div class="filters more">
          <${Text} label="Expires after, in seconds" inputmode="numeric" placeholder="never" value=${form.expiry} onChange=${change('expiry')} />
          <${Text} label="Delivered after, in seconds" inputmode="numeric" placeholder="at once" value=${form.delay} onChange=${change('delay')} />
          <${Text} label="Type (JMSType)" value=${form.type} onChange=${change('type')} />
          <${Text} label="Correlation identifier" value=${form.correlation} onChange=${change('correlation')} />
          <${Text} label="Reply to, a queue" value=${form.replyTo} onChange=${change('replyTo')} />
          <${Text} label="Group" value=${form.group} onChange=${change('group')} />
        </div>
        ${pairs.map((pair, index) => html`
          <div class="filters more" key=${index}>
            <${Text} label=${`Property ${index + 1}, name`} value=${pair.name} onChange=${changePair(index, 'name')} />
            <${Text} label=${`Property ${index + 1}, value`} value=${pair.value} onChange=${changePair(index, 'value')} />
            <${Choice} label=${`Property ${index + 1}, type`} value=${pair.type} choices=${TYPES} onChange=${changePair(index, 'type')} />
          </div>`)}
        <button type="button" class="button small" onClick=${() => setPairs([...pairs, NO_PAIR])}>Another property</button>
      </details>
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      ${said && html`<p class="note note-good" role="status">${said}</p>`}
      <div class="form-foot"><span class="spacer"></span>
        <button type="submit" class="button primary" disabled=${busy || !queue}>${busy ? 'Sending …' : 'Send'}</button></div>
    </form>`;
}
