// What the figure of a column means, when to worry, and what to do then: as the broker's own description of its monitor says.
import { html, useEffect, usePopup, useState } from './ui.js';
import { get } from './api.js';
import { icon } from './icons.js';

/** Columns that show a figure under another name than its own. */
const SHOWN_AS = {
  Connection: { 'Connected for': 'Duration', 'Messages in': 'ReadMsg', 'Messages out': 'WriteMsg', Bytes: 'ReadBytes' },
  Queue: { Full: 'BufferedPercent' },
  Subscription: { Full: 'BufferedPercent' },
  Endpoint: { 'Messages in': 'ReadMsgs', 'Messages out': 'WriteMsgs', 'Bytes in': 'ReadBytes', 'Bytes out': 'WriteBytes', 'Refused publishes': 'LostMsgs' },
};
let asked = null;

/** The broker's description of its API, which is asked for once. */
export function description() {
  asked ||= get('/openapi.json').catch((failure) => {
    asked = null;
    throw failure;
  });
  return asked;
}

const NOTHING = { description: 'The broker tells nothing about it.' };

const column = (object, figure) => async () => {
  const monitored = (await description()).paths[`/monitor/${object}`];
  return monitored?.get.responses['200'].content['application/json'].schema.properties?.[figure];
};

/** `find` returns a promise of what there is to tell. */
export function Told({ find }) {
  const [told, setTold] = useState(null);
  useEffect(() => {
    find().then((found) => setTold(found || NOTHING), (failure) => setTold({ description: failure.message }));
  }, []);
  return told ? html`
    <span>${told.description}</span>
    ${told['x-worry'] && html`<span><b>Worry when:</b> ${told['x-worry']}</span><span><b>Then:</b> ${told['x-remedy']}</span>`}`
    : html`<span class="muted">Asking the broker …</span>`;
}

/** The `?` of a column of figures. */
export function FigureHelp({ object, column: shown }) {
  const { open, setOpen, box } = usePopup();
  const figure = SHOWN_AS[object]?.[shown.title] || shown.name;
  return object && figure ? html`
    <span class="help" ref=${box}>
      <button type="button" class="help-button" aria-expanded=${open} aria-label=${`What ${shown.title} means`}
        onClick=${() => setOpen(!open)}>${icon('help')}</button>
      ${open && html`<span class="help-box card is-text" role="note"><${Told} find=${column(object, figure)} /></span>`}
    </span>` : null;
}
