// Queues: the list of them, and one of them with its messages, which can be looked at, moved, sent back and deleted.
import { html, useEffect, useRef, useReturns, useState } from './ui.js';
import { encoded, get, request } from './api.js';
import { bytes, whole } from './format.js';
import { Confirmation, Dialog } from './dialog.js';
import { icon } from './icons.js';
import { QUEUES } from './explore.js';
import { Payload } from './payload.js';
import { SendForm } from './queue-send.js';
import { TablePage } from './table.js';

const PAGE = 25;
const PREVIEW_BYTES = 100;
const FIRST_BYTES = 65536;
const MOST_BYTES = 1048576;
const MOST_QUEUES = 200;
const MOST_NAMED = 5;
const TYPING_MS = 300;
const OWN_PLACE = ['Reference', 'Properties', 'Body', 'BodyEncoding', 'BodyIsCut', 'BodyIsHidden'];

const pathOf = (queue) => `/service/queue/${encoded(queue)}`;
const nameOf = (message) => message.MessageID || `Message ${message.Reference}`;
const count = (messages) => (messages.length === 1 ? 'this message' : `these ${whole(messages.length)} messages`);

/** The queues that there are, for fields that take any. */
export function useQueueNames() {
  const [names, setNames] = useState([]);
  useEffect(() => {
    get(`/monitor/Queue?StatType=BufferedMsgsHighest&ResultCount=${MOST_QUEUES}`, { background: true })
      .then((answer) => setNames(answer.Queue.map((each) => each.Name)), () => {});
  }, []);
  return names;
}

export function QueueField({ label, names, value, onChange, ...more }) {
  return html`<label class="filter"><span>${label}</span>
    <input class="input" list="queue-names" autocomplete="off" autocapitalize="none" spellcheck=${false} value=${value}
      onInput=${(event) => onChange(event.target.value)} ...${more} />
    <datalist id="queue-names">${names.map((each) => html`<option key=${each} value=${each} />`)}</datalist></label>`;
}

function Properties({ properties }) {
  const all = Object.entries(properties || {});
  return all.length === 0 ? null : html`
    <h3 class="part-title">Properties</h3>
    <dl class="details">${all.map(([name, value]) => html`
      <div key=${name}><dt>${name}</dt><dd>${Array.isArray(value) ? value.join(', ') : String(value)}</dd></div>`)}</dl>`;
}

/** One message with all that there is to tell of it. */
function MessageBox({ queue, chosen, onAct, onClose }) {
  const [message, setMessage] = useState(null);
  const [limit, setLimit] = useState(FIRST_BYTES);
  const [problem, setProblem] = useState('');
  useEffect(() => {
    get(`${pathOf(queue)}/message/${chosen.Reference}?BodyBytes=${limit}`)
      .then((answer) => setMessage(answer.Message[0]), (failure) => setProblem(failure.message));
  }, [limit]);
  const told = message || chosen;
  return html`
    <${Dialog} title=${nameOf(chosen)} onClose=${onClose} wide>
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      <h3 class="part-title">Headers</h3>
      <dl class="details">${Object.entries(told).filter(([name]) => !OWN_PLACE.includes(name)).map(([name, value]) => html`
        <div key=${name}><dt>${name}</dt><dd>${String(value)}</dd></div>`)}</dl>
      <${Properties} properties=${told.Properties} />
      <h3 class="part-title">Payload</h3>
      ${message && html`<${Payload} key=${limit} message=${message} onMore=${limit < MOST_BYTES ? () => setLimit(MOST_BYTES) : null} />`}
      <div class="dialog-foot">
        <button type="button" class="button" onClick=${() => onAct('move')}>Move …</button>
        ${chosen.DeadLetterCause && html`<button type="button" class="button" onClick=${() => onAct('resend')}>Send back …</button>`}
        <button type="button" class="button danger" onClick=${() => onAct('delete')}>Delete …</button>
      </div>
    </${Dialog}>`;
}

/** Asks where messages go. */
function Transfer({ title, word, note, needsQueue, act, onDone, onClose }) {
  const names = useQueueNames();
  const [to, setTo] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  async function submit(event) {
    event.preventDefault();
    setBusy(true);
    setProblem('');
    try {
      onDone(await act(to.trim()));
    } catch (failure) {
      setProblem(failure.message);
      setBusy(false);
    }
  }
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <form class="dialog-form" onSubmit=${submit}>
        <p>${note}</p>
        <${QueueField} label=${needsQueue ? 'To the queue' : 'To this queue instead, where the broker does not know'} names=${names} value=${to} onChange=${setTo}
          required=${needsQueue} />
        ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
        <div class="dialog-foot">
          <button type="button" class="button" onClick=${onClose}>Cancel</button>
          <button type="submit" class="button primary" disabled=${busy}>${busy ? '…' : word}</button>
        </div>
      </form>
    </${Dialog}>`;
}

/** Deletes one after the other, and tells of those that it could not delete. */
async function deleteAll(queue, messages) {
  const left = [];
  for (const message of messages) {
    try {
      await request('DELETE', `${pathOf(queue)}/message/${message.Reference}`);
    } catch (failure) {
      left.push(failure.message);
    }
  }
  if (left.length === messages.length) {
    throw new Error(`Nothing was deleted: ${[...new Set(left)].join('; ')}.`);
  }
  const gone = messages.length - left.length;
  return `${gone === 1 ? 'One message is' : `${gone} messages are`} gone.${left.length === 0 ? '' : ` ${left.length} stay: ${[...new Set(left)].join('; ')}.`}`;
}

function Act({ queue, what, messages, onDone, onClose }) {
  const references = messages.map((each) => each.Reference);
  if (what === 'move') {
    return html`<${Transfer} title=${`Move ${count(messages)} to another queue?`} word="Move" needsQueue onDone=${onDone} onClose=${onClose}
      note="Each leaves this queue when it is in the other one, so none is lost and none doubled. What is known of failed deliveries is forgotten."
      act=${(to) => request('POST', `${pathOf(queue)}/move`, { body: { To: to, References: references } }).then((answer) => answer.Message)} />`;
  }
  if (what === 'resend') {
    const all = messages.length === 0;
    return html`<${Transfer} title=${all ? 'Send all dead letters back?' : `Send ${count(messages)} back?`} word="Send back" onDone=${onDone} onClose=${onClose}
      note=${`${all ? 'The first 1,000 dead letters of this queue go' : 'Each goes'} to the queue in which it was before; none is lost and none doubled. Its deliveries are counted anew, and it does not expire any more if it has expired.`}
      act=${(to) => request('POST', `${pathOf(queue)}/resend`, {
        body: { ...(to ? { To: to } : {}), ...(all ? {} : { References: references }) },
      }).then((answer) => answer.Message)} />`;
  }
  return html`<${Confirmation} title=${`Delete ${count(messages)}?`} word="Delete" onDone=${onDone} onClose=${onClose}
    lost=${`Lost for good, and no receiver gets it: ${messages.slice(0, MOST_NAMED).map(nameOf).join(', ')}${messages.length > MOST_NAMED
      ? ` and ${messages.length - MOST_NAMED} more` : ''}.`}
    act=${() => deleteAll(queue, messages)} />`;
}

function Lines({ messages, selected, onSelect, onOpen }) {
  return html`
    <div class="card table-card">
      <table>
        <thead><tr><th scope="col"><span class="only-read">Selected</span></th><th scope="col">Message</th><th scope="col" class="is-number">Priority</th>
          <th scope="col">Sent</th><th scope="col" class="is-number">Failed deliveries</th><th scope="col">Dead letter</th>
          <th scope="col" class="is-number">Size</th><th scope="col">Payload</th></tr></thead>
        <tbody>${messages.map((each) => html`
          <tr key=${each.Reference} onClick=${() => onOpen(each)}>
            <td onClick=${(event) => event.stopPropagation()}><input type="checkbox" aria-label=${`Select ${nameOf(each)}`}
              checked=${selected.has(each.Reference)} onChange=${() => onSelect(each.Reference)} /></td>
            <td class="mono" data-title="Message"><button type="button" class="link" onClick=${(event) => { event.stopPropagation(); onOpen(each); }}>
              ${nameOf(each)}</button></td>
            <td class="is-number" data-title="Priority">${each.Priority}</td>
            <td data-title="Sent">${each.Time ? new Date(each.Time).toLocaleString('en-GB') : '–'}</td>
            <td class="is-number" data-title="Failed deliveries">${whole(each.DeliveryCount)}</td>
            <td data-title="Dead letter">${each.DeadLetterCause ? `${each.DeadLetterCause.toLowerCase().replaceAll('_', ' ')}, from ${each.DeadLetterQueue}` : ''}</td>
            <td class="is-number" data-title="Size">${bytes(each.BodyBytes)}</td>
            <td class="mono" data-title="Payload">${each.BodyIsHidden ? 'hidden' : each.BodyEncoding === 'text' ? each.Body : each.BodyBytes > 0 ? 'bytes' : ''}</td>
          </tr>`)}</tbody>
      </table>
      ${messages.length === 0 && html`<p class="empty muted">No message waits that fits. What is delayed, or with a receiver now, is not shown.</p>`}
    </div>`;
}

/** What waits in one queue, a page at a time. */
function Queue({ name }) {
  const [page, setPage] = useState(null);
  const [selector, setSelector] = useState('');
  const [offset, setOffset] = useState(0);
  const [asked, setAsked] = useState(0);
  const [selected, setSelected] = useState(new Set());
  const [open, setOpen] = useState(null);
  const [act, setAct] = useState(null);
  const [said, setSaid] = useState('');
  const [problem, setProblem] = useState('');
  const [sends, setSends] = useState(false);
  const turn = useRef(0);
  const returns = useReturns();

  useEffect(() => {
    const mine = (turn.current += 1);
    const timer = setTimeout(async () => {
      const query = new URLSearchParams({ ResultCount: PAGE, ResultOffset: offset, BodyBytes: PREVIEW_BYTES });
      if (selector.trim()) {
        query.set('Selector', selector);
      }
      try {
        const answer = await get(`${pathOf(name)}/message?${query}`);
        if (mine === turn.current) {
          setPage(answer);
          setProblem('');
          const there = new Set(answer.Message.map((each) => each.Reference));
          setSelected((before) => new Set([...before].filter((each) => there.has(each))));
        }
      } catch (failure) {
        if (mine === turn.current) {
          setProblem(failure.message);
        }
      }
    }, page ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [name, selector, offset, asked, returns]);

  function select(reference) {
    setSelected((before) => {
      const after = new Set(before);
      if (!after.delete(reference)) {
        after.add(reference);
      }
      return after;
    });
  }

  function done(message) {
    setAct(null);
    setOpen(null);
    setSelected(new Set());
    setSaid(message);
    setAsked(asked + 1);
  }

  const messages = page?.Message || [];
  const chosen = messages.filter((each) => selected.has(each.Reference));
  const begin = (what) => setAct({ what, messages: chosen });
  const full = offset + PAGE >= 10000 - PAGE;
  return html`
    <div class="section-head">
      <h1 class="page-title is-kept">Queue ${name}</h1>
      <a class="button small" href="#/queues">${icon('back')}All queues</a>
      <span class="spacer"></span>
      <button type="button" class="button small" onClick=${() => { setSaid(''); setAsked(asked + 1); }}>Refresh</button>
      <button type="button" class="button small primary" aria-expanded=${sends} onClick=${() => setSends(!sends)}>Send a message</button>
    </div>
    ${sends && html`<${SendForm} queue=${name} onSent=${() => setAsked((before) => before + 1)} />`}
    <div class="filters">
      <label class="filter"><span>Selector</span><input class="input" type="search" spellcheck=${false} autocapitalize="none" placeholder="JMSPriority > 5"
        value=${selector} onInput=${(event) => { setSelector(event.target.value); setOffset(0); }} /></label>
    </div>
    <div class="actions" role="toolbar" aria-label="What to do with messages">
      <button type="button" class="button small" disabled=${messages.length === 0}
        onClick=${() => setSelected(new Set(chosen.length === messages.length ? [] : messages.map((each) => each.Reference)))}>
        ${messages.length > 0 && chosen.length === messages.length ? 'Select none' : 'Select all shown'}</button>
      <span class="muted small" role="status">${chosen.length === 0 ? 'None is selected' : `${chosen.length} selected`}</span>
      <span class="spacer"></span>
      <button type="button" class="button small" disabled=${chosen.length === 0} onClick=${() => begin('move')}>Move …</button>
      <button type="button" class="button small" disabled=${chosen.length === 0 && !messages.some((each) => each.DeadLetterCause)}
        onClick=${() => begin('resend')}>${chosen.length === 0 ? 'Send all dead letters back …' : 'Send back …'}</button>
      <button type="button" class="button small danger" disabled=${chosen.length === 0} onClick=${() => begin('delete')}>Delete …</button>
    </div>
    ${said && html`<p class="note note-good" role="status">${said}</p>`}
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${!page ? !problem && html`<p class="muted" role="status">Asking the broker …</p>` : html`
      <${Lines} messages=${messages} selected=${selected} onSelect=${select} onOpen=${setOpen} />
      <div class="pager">
        <span class="muted" role="status">${messages.length === 0 ? 'None' : `${whole(offset + 1)}–${whole(offset + messages.length)}`}${
          full ? '; further back messages are found with a selector' : ''}</span>
        <button type="button" class="button small" disabled=${offset === 0} onClick=${() => setOffset(Math.max(0, offset - PAGE))}>
          ${icon('back')}Previous</button>
        <button type="button" class="button small" disabled=${!page.More || full} onClick=${() => setOffset(offset + PAGE)}>Next${icon('next')}</button>
      </div>`}
    ${open && !act && html`<${MessageBox} queue=${name} chosen=${open} onClose=${() => setOpen(null)}
      onAct=${(what) => setAct({ what, messages: [open] })} />`}
    ${act && html`<${Act} queue=${name} what=${act.what} messages=${act.messages} onDone=${done} onClose=${() => setAct(null)} />`}`;
}

const LISTED = {
  ...QUEUES,
  More: ({ row, mayAct }) => mayAct && html`
    <p><a class="button" href=${`#/queues/${encoded(row.Name)}`}>Messages of this queue</a></p>`,
};

/** Sends to a queue that the user names. */
export function SendToQueue() {
  const names = useQueueNames();
  const [queue, setQueue] = useState('');
  return html`<${SendForm} queue=${queue}>
    <div class="filters"><${QueueField} label="To the queue" names=${names} value=${queue} onChange=${setQueue} required /></div>
  </${SendForm}>`;
}

export function Queues({ may, rest }) {
  if (rest.length === 0) {
    return html`<${TablePage} kind=${LISTED} may=${may} />`;
  }
  return may('Configure') || may('Manage') ? html`<${Queue} key=${rest[0]} name=${rest[0]} />`
    : html`<p class="note note-bad" role="alert">You may not see what messages hold: that takes Manage or Configure.</p>`;
}
