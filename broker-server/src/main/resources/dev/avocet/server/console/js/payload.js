// What a message holds: as text, as JSON, or as bytes. Whatever it is, it is shown as text.
import { classes, html, useState } from './ui.js';
import { bytes, whole } from './format.js';

const MOST_HEX_BYTES = 16384;
const PER_LINE = 16;
const VIEWS = [['text', 'Text'], ['json', 'JSON'], ['hex', 'Hex']];

/** The bytes of a body as REST tells it. */
function bytesOf(message) {
  return message.BodyEncoding === 'base64'
    ? Uint8Array.from(atob(message.Body), (each) => each.charCodeAt(0))
    : new TextEncoder().encode(message.Body);
}

function hexOf(all) {
  const part = all.subarray(0, MOST_HEX_BYTES);
  const lines = [];
  for (let at = 0; at < part.length; at += PER_LINE) {
    const line = Array.from(part.subarray(at, at + PER_LINE));
    const digits = line.map((each) => each.toString(16).padStart(2, '0')).join(' ').padEnd(PER_LINE * 3 - 1);
    const letters = line.map((each) => (each >= 0x20 && each < 0x7f ? String.fromCharCode(each) : '.')).join('');
    lines.push(`${at.toString(16).padStart(6, '0')}  ${digits}  ${letters}`);
  }
  return lines.join('\n');
}

/** The JSON with its lines and indents; null for what is none. */
export function prettyJson(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : null;
  } catch {
    return null;
  }
}

/** The body of a message, with a choice of views. `onMore` loads more of it where it is cut. */
export function Payload({ message, onMore }) {
  const isText = message.BodyEncoding === 'text';
  const json = isText && !message.BodyIsCut ? prettyJson(message.Body) : null;
  const [chosen, setChosen] = useState('');
  const view = chosen || (json !== null ? 'json' : isText ? 'text' : 'hex');
  if (message.BodyIsHidden) {
    return html`<p class="note note-info">The payload of ${whole(message.BodyBytes)} bytes is hidden: HideMessagePayloads is set in the configuration.</p>`;
  }
  if (message.BodyBytes === 0) {
    return html`<p class="muted">The payload is empty.</p>`;
  }
  const all = bytesOf(message);
  const shown = view === 'hex' ? Math.min(all.length, MOST_HEX_BYTES) : all.length;
  return html`
    <div class="section-head">
      <div class="choices" role="group" aria-label="Show the payload as">${VIEWS.map(([name, title]) => html`
        <button key=${name} type="button" class=${classes('button small', name === view && 'is-chosen')} aria-pressed=${name === view}
          disabled=${(name === 'text' && !isText) || (name === 'json' && json === null)} onClick=${() => setChosen(name)}>${title}</button>`)}</div>
      <span class="muted small" role="status">${shown < message.BodyBytes
        ? `The first ${whole(shown)} of ${whole(message.BodyBytes)} bytes` : `All ${bytes(message.BodyBytes)}`}</span>
      ${message.BodyIsCut && onMore && html`<button type="button" class="button small" onClick=${onMore}>Show more</button>`}
    </div>
    <pre class="payload mono body-view" tabindex="0" aria-label="Payload">${view === 'json' ? json : view === 'hex' ? hexOf(all) : message.Body}</pre>`;
}
