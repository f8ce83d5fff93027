// A page of a long list: the broker filters, sorts and counts, and sends one page.
import { classes, html, useEffect, useRef, useReturns, useState } from './ui.js';
import { get } from './api.js';
import { Confirmation, Dialog } from './dialog.js';
import { bytes, duration, whole } from './format.js';
import { icon } from './icons.js';
import { FigureHelp } from './learn.js';

const PAGE = 25;
const TYPING_MS = 300;

/** Loads a page of one of the monitor's tables. */
export function monitored(object, fixed = {}) {
  const load = async ({ filters, order, offset }) => {
    const query = new URLSearchParams({ ...fixed, StatType: order, ResultCount: PAGE, ResultOffset: offset });
    filters.forEach(([name, text, isPattern]) => query.set(name, isPattern && !text.includes('*') ? `*${text}*` : text));
    const answer = await get(`/monitor/${object}?${query}`);
    return { rows: answer[object], found: answer.Found };
  };
  return Object.assign(load, { object });
}

function Filters({ filters, values, onChange }) {
  return html`
    <div class="filters">
      ${filters.map(({ name, label, choices }) => html`
        <label class="filter" key=${name}><span>${label}</span>
          ${choices
            ? html`<select class="input" value=${values[name] ?? choices[0][0]} onChange=${(event) => onChange(name, event.target.value)}>
                ${choices.map(([value, text]) => html`<option key=${value} value=${value}>${text}</option>`)}</select>`
            : html`<input class="input" type="search" placeholder="any" spellcheck=${false} autocapitalize="none"
                value=${values[name] ?? ''} onInput=${(event) => onChange(name, event.target.value)} />`}
        </label>`)}
    </div>`;
}

function Head({ column, order, object, onOrder }) {
  const [down, up] = column.orders || [];
  const help = column.number && html`<${FigureHelp} object=${object} column=${column} />`;
  if (!down) {
    return html`<th scope="col" class=${column.number && 'is-number'}>${column.title}${help}</th>`;
  }
  const sorted = order === down ? 'descending' : order === up ? 'ascending' : 'none';
  return html`
    <th scope="col" class=${column.number && 'is-number'} aria-sort=${sorted}>
      <button type="button" class="sort" onClick=${() => onOrder(order === down && up ? up : down)}>${column.title}
        <span aria-hidden="true">${sorted === 'descending' ? '↓' : sorted === 'ascending' ? '↑' : ''}</span></button>${help}</th>`;
}

/** A figure of the broker as people read it. */
function told(name, value) {
  if (value === '') {
    return '–';
  }
  if (name === 'Duration') {
    return duration(value / 1e6);
  }
  if (typeof value === 'number' && name.endsWith('Bytes')) {
    return bytes(value);
  }
  return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? new Date(value).toLocaleString('en-GB') : String(value);
}

function Details({ kind, row, mayAct, onAct, onClose }) {
  const actions = mayAct ? kind.actions.filter((action) => !action.when || action.when(row)) : [];
  return html`
    <${Dialog} title=${kind.nameOf(row)} onClose=${onClose} wide>
      <dl class="details">
        ${Object.entries(row).filter(([, value]) => typeof value !== 'object').map(([name, value]) => html`
          <div key=${name}><dt>${name}</dt><dd>${told(name, value)}</dd></div>`)}
      </dl>
      ${kind.More && html`<${kind.More} row=${row} mayAct=${mayAct} />`}
      ${actions.length > 0 && html`
        <div class="dialog-foot">${actions.map((action) => html`
          <button key=${action.word} type="button" class="button danger" onClick=${() => onAct(action)}>${action.word} …</button>`)}
        </div>`}
    </${Dialog}>`;
}

/**
 * A page for a kind of things.
 * kind: title, isPart (of a page that has its own title), load, columns (name, title, show, number, orders), order, filters, nameOf, actions (word, title, lost, act, when)
 */
export function TablePage({ kind, may }) {
  const [values, setValues] = useState({});
  const [order, setOrder] = useState(kind.order);
  const [offset, setOffset] = useState(0);
  const [page, setPage] = useState(null);
  const [problem, setProblem] = useState('');
  const [said, setSaid] = useState('');
  const [chosen, setChosen] = useState(null);
  const [action, setAction] = useState(null);
  const [asked, setAsked] = useState(0);
  const turn = useRef(0);
  const returns = useReturns();
  const mayAct = may('Configure') || may('Manage');

  useEffect(() => {
    const mine = (turn.current += 1);
    const filters = kind.filters.map(({ name, choices }) => [name, (values[name] ?? '').trim(), !choices])
      .filter(([, text]) => text);
    const timer = setTimeout(async () => {
      try {
        const loaded = await kind.load({ filters, order, offset });
        if (mine === turn.current) {
          setPage(loaded);
          setProblem('');
        }
      } catch (failure) {
        if (mine === turn.current) {
          setProblem(failure.message);
        }
      }
    }, page ? TYPING_MS : 0);
    return () => clearTimeout(timer);
  }, [values, order, offset, asked, returns]);

  function change(name, text) {
    setValues({ ...values, [name]: text });
    setOffset(0);
  }

  function done(message) {
    setAction(null);
    setChosen(null);
    setSaid(message);
    setAsked(asked + 1);
  }

  const last = page ? offset + page.rows.length : 0;
  return html`
    <div class="section-head">
      ${kind.isPart ? html`<h2 class="section-title">${kind.title}</h2>` : html`<h1 class="page-title">${kind.title}</h1>`}
      <button type="button" class="button small" onClick=${() => { setSaid(''); setAsked(asked + 1); }}>Refresh</button>
    </div>
    ${kind.note && html`<p class="muted">${kind.note}</p>`}
    <${Filters} filters=${kind.filters} values=${values} onChange=${change} />
    ${said && html`<p class="note note-good" role="status">${said}</p>`}
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${!page ? !problem && html`<p class="muted" role="status">Asking the broker …</p>` : html`
      <div class="card table-card">
        <table>
          <thead><tr>${kind.columns.map((column) => html`
            <${Head} key=${column.title} column=${column} object=${kind.load.object} order=${order} onOrder=${(next) => { setOrder(next); setOffset(0); }} />`)}</tr></thead>
          <tbody>
            ${page.rows.map((row) => html`
              <tr key=${kind.keyOf ? kind.keyOf(row) : kind.nameOf(row)} onClick=${() => setChosen(row)}>
                ${kind.columns.map((column, index) => html`
                  <td key=${column.title} data-title=${column.title} class=${classes(column.number && 'is-number', column.mono && 'mono')}>
                    ${index === 0
                      ? html`<button type="button" class="link" onClick=${(event) => { event.stopPropagation(); setChosen(row); }}>
                          ${column.show ? column.show(row) : row[column.name]}</button>`
                      : column.show ? column.show(row) : row[column.name]}</td>`)}
              </tr>`)}
          </tbody>
        </table>
        ${page.rows.length === 0 && html`<p class="empty muted">${page.found === 0 ? kind.none : 'There are no more.'}</p>`}
      </div>
      <div class="pager">
        <span class="muted" role="status">${page.rows.length === 0 ? `0 of ${whole(page.found)}`
          : `${whole(offset + 1)}–${whole(last)} of ${whole(page.found)}`}</span>
        <button type="button" class="button small" disabled=${offset === 0} onClick=${() => setOffset(Math.max(0, offset - PAGE))}>
          ${icon('back')}Previous</button>
        <button type="button" class="button small" disabled=${last >= page.found} onClick=${() => setOffset(offset + PAGE)}>
          Next${icon('next')}</button>
      </div>`}
    ${chosen && !action && html`
      <${Details} kind=${kind} row=${chosen} mayAct=${mayAct} onAct=${setAction} onClose=${() => setChosen(null)} />`}
    ${chosen && action && html`
      <${Confirmation} title=${action.title(chosen)} lost=${action.lost(chosen)} word=${action.word}
        act=${() => action.act(chosen)} onDone=${done} onClose=${() => setAction(null)} />`}`;
}
