// What is different between two configurations, as the broker tells it.
import { html } from './ui.js';
import { isSingle } from './changeset.js';

const MOST_SHOWN = 200;
const MASK = '********';
const WORDS = { created: 'new', changed: 'changed', deleted: 'deleted' };
const TONES = { created: 'good', changed: 'warn', deleted: 'bad' };

export function shown(value) {
  if (value === undefined || value === null || value === '') {
    return html`<span class="muted">none</span>`;
  }
  return html`<span class="mono">${typeof value === 'object' ? JSON.stringify(value) : String(value)}</span>`;
}

function Property({ change, property }) {
  const { Property: name, Before: before, After: after } = property;
  const isSecret = before === MASK && after === MASK;
  return html`
    <tr>
      <th scope="row">${name}</th>
      ${change !== 'created' && html`<td class="diff-before">${shown(before)}</td>`}
      ${change !== 'deleted' && html`<td class="diff-after">${isSecret ? html`<span class="mono">another password</span>` : shown(after)}</td>`}
    </tr>`;
}

export function nameOf({ Type, Name }) {
  return isSingle(Type) ? (Type === 'Singletons' ? 'Server' : Type) : html`${Type} <span class="mono">${Name}</span>`;
}

/** Objects with their properties; `More` is shown in each, with its difference. */
export function Differences({ differences, label, More }) {
  if (differences.length === 0) {
    return html`<p class="muted">Nothing is different.</p>`;
  }
  return html`
    <ul class="plain-list" aria-label=${label}>
      ${differences.slice(0, MOST_SHOWN).map((each) => html`
        <li class="card diff" key=${`${each.Type}/${each.Name}`} data-object=${`${each.Type}/${each.Name}`}>
          <p class="diff-head"><span class=${`state state-${TONES[each.Change]}`}>${WORDS[each.Change]}</span>
            <b>${nameOf(each)}</b>${More && html`<span class="diff-acts"><${More} difference=${each} /></span>`}</p>
          ${each.Properties.length > 0 && html`
            <div class="diff-scroll"><table class="diff-table">
              <thead><tr><th scope="col">Property</th>${each.Change !== 'created' && html`<th scope="col">Before</th>`}${
                each.Change !== 'deleted' && html`<th scope="col">${each.Change === 'created' ? 'Value' : 'After'}</th>`}</tr></thead>
              <tbody>${each.Properties.map((property) => html`
                <${Property} key=${property.Property} change=${each.Change} property=${property} />`)}</tbody>
            </table></div>`}
        </li>`)}
    </ul>
    ${differences.length > MOST_SHOWN && html`<p class="muted">${`${differences.length - MOST_SHOWN} more objects are not shown.`}</p>`}`;
}
