// On the dashboard of a broker on which nothing is configured.
import { html, useEffect, useState } from './ui.js';
import { get } from './api.js';

export function FirstRun({ may }) {
  const [isNew, setNew] = useState(false);
  useEffect(() => {
    if (may('Configure')) {
      get('/service/setup').then((answer) => setNew(answer.Configured === false), () => {});
    }
  }, []);
  return isNew ? html`<p class="note note-info collected"><span>Nothing is configured on this broker yet.</span>
    <a class="button small primary" href="#/setup">Set it up …</a></p>` : null;
}
