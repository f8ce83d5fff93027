// Pages whose modules are loaded when they are shown first, or a while after the first view, so that this waits for none of them.
import { html, useEffect, useReturns, useState } from './ui.js';
import { tell } from './api.js';

const LOADS = [];

/** The view of that name of a module; `load` imports it. */
export function later(load, name) {
  let loaded = null; // once for all
  const view = () => load().then((module) => {
    loaded = module[name];
  });
  LOADS.push(view);
  return function Later(props) {
    const [there, setThere] = useState(loaded !== null);
    const [problem, setProblem] = useState('');
    const returns = useReturns();
    useEffect(() => {
      if (!there) {
        view().then(() => setThere(true), () => {
          setProblem('The broker does not answer. Load the page again if this stays when it is back.');
          tell('unreachable');
        });
      }
    }, [returns]);
    if (there) {
      return html`<${loaded} ...${props} />`;
    }
    return problem ? html`<p class="note note-bad" role="alert">${problem}</p>` : html`<p class="muted" role="status">Asking the broker …</p>`;
  };
}

/** Loads all of them one after the other, so that they are there when the broker is away. */
export function loadAll() {
  return LOADS.reduce((before, view) => before.then(view), Promise.resolve()).catch(() => {}); // each is asked for again when it is shown
}
