// What a figure of the dashboard means, when to worry, and what to do then: as the broker's own description of its API says.
import { html, usePopup } from './ui.js';
import { icon } from './icons.js';
import { Told, description } from './learn.js';

const find = (about) => async () => (await description())['x-dashboard'][about];

export function Help({ about }) {
  const { open, setOpen, box } = usePopup();
  return html`
    <span class="help" ref=${box}>
      <button type="button" class="help-button" aria-expanded=${open} aria-label="What this figure means"
        onClick=${() => setOpen(!open)}>${icon('help')}</button>
      ${open && html`<span class="help-box card" role="note"><${Told} find=${find(about)} /></span>`}
    </span>`;
}
