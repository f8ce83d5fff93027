// Boxes above the page.
import { html, useEffect, useRef, useState } from './ui.js';
import { icon } from './icons.js';

/** A box that closes with Escape, its cross, or a click beside it. */
export function Dialog({ title, onClose, children, wide }) {
  const box = useRef(null);
  useEffect(() => {
    box.current.showModal();
  }, []);
  return html`
    <dialog ref=${box} class=${wide ? 'dialog card is-wide' : 'dialog card'} aria-labelledby="dialog-title"
      onClose=${onClose} onMouseDown=${(event) => event.target === box.current && onClose()}>
      <div class="dialog-head"><h2 id="dialog-title">${title}</h2>
        <button type="button" class="button quiet small" aria-label="Close" onClick=${onClose}>${icon('close')}</button></div>
      <div class="dialog-body">${children}</div>
    </dialog>`;
}

/** Asks before something is lost; `act` does it and returns what to say then. */
export function Confirmation({ title, lost, word, act, onDone, onClose }) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  async function go() {
    setBusy(true);
    setProblem('');
    try {
      onDone(await act());
    } catch (failure) {
      setProblem(failure.message);
      setBusy(false);
    }
  }
  return html`
    <${Dialog} title=${title} onClose=${onClose}>
      <p>${lost}</p>
      ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
      <div class="dialog-foot">
        <button type="button" class="button" onClick=${onClose}>Cancel</button>
        <button type="button" class="button danger primary" disabled=${busy} onClick=${go}>${busy ? '…' : word}</button>
      </div>
    </${Dialog}>`;
}
