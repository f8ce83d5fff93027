// The store: how full it is, what is wrong with it, and the segments of its journal with what each is kept for.
import { html, useEffect, useReturns, useState } from './ui.js';
import { get } from './api.js';
import { bytes, duration, percent, whole } from './format.js';
import { monitored, TablePage } from './table.js';

const KEPT_FOR = {
  Written: ['good', 'it is being written'],
  Messages: ['good', 'messages in it are needed'],
  Pinned: ['warn', 'a standby or another reader needs it'],
  Checkpoint: ['off', 'nothing; it goes after two more checkpoints'],
  DropFailed: ['bad', 'nothing, but the disk did not give its room back'],
  Miscounted: ['bad', 'its references are counted wrongly'],
};
const both = (figure) => [`${figure}Highest`, `${figure}Lowest`];

const SEGMENTS = {
  title: 'Segments of the journal',
  isPart: true,
  none: 'There is no segment that fits.',
  load: monitored('Segment'),
  order: 'Oldest',
  nameOf: (row) => row.File,
  filters: [
    { name: 'File', label: 'File' },
    { name: 'KeptFor', label: 'Kept for', choices: [['All', 'All'], ['Messages', 'Messages'], ['Pinned', 'A standby or another reader'],
      ['Checkpoint', 'The next checkpoints'], ['DropFailed', 'Not given back by the disk'], ['Miscounted', 'Wrong counts'], ['Written', 'Writing']] },
  ],
  columns: [
    { name: 'File', title: 'File', mono: true, orders: ['Newest', 'Oldest'] },
    { title: 'Kept for', show: (row) => html`<span class=${`state state-${KEPT_FOR[row.KeptFor][0]}`}>${KEPT_FOR[row.KeptFor][1]}</span>` },
    { title: 'Size', number: true, orders: both('SizeBytes'), show: (row) => bytes(row.SizeBytes) },
    { title: 'Messages needed', number: true, orders: both('LiveReferences'), show: (row) => whole(row.LiveReferences) },
    { title: 'Their size', number: true, orders: both('LiveBytes'), show: (row) => bytes(row.LiveBytes) },
    { title: 'Alive', number: true, orders: both('LivePercent'), show: (row) => percent(row.LivePercent) },
  ],
  actions: [],
};

/** What is wrong, each with what to do. */
function problemsOf(store) {
  const found = [];
  if (store.state === 'failed') {
    found.push(['bad', 'The disk has failed, and the broker ends.', 'Look into the log, mend the disk, start the broker.']);
  }
  if (store.state === 'full') {
    found.push(['bad', 'The store is full, so persistent messages are refused.', 'Free its disk, or consume what waits.']);
  }
  if (store.checkpointFailures > 0) {
    found.push(['bad', `${whole(store.checkpointFailures)} checkpoints could not be taken.`, 'The log says why. Until one succeeds no room is given back.']);
  }
  if (store.dropFailures > 0) {
    found.push(['warn', `${whole(store.dropFailures)} segments could not be given back to the disk.`, 'The log says why; the segments below that are marked are tried again.']);
  }
  if (store.lostMessages > 0) {
    found.push(['bad', `${whole(store.lostMessages)} messages were damaged by the disk and are lost.`, 'Check the store with broker-admin store verify while the broker is stopped, and the disk.']);
  }
  return found;
}

function Figures({ store }) {
  const figures = [
    ['State', store.state], ['Mode', store.mode], ['On disk', bytes(store.StoreBytes)], ['Needed of it', `${bytes(store.LiveBytes)}, ${percent(store.livePercent)}`],
    ['Messages needed', whole(store.LiveReferences)], ['Segments', whole(store.segments)], ['Free on its disk', `${bytes(store.DiskFreeBytes)}; ${percent(store.DiskUsedPercent)} used`],
    ['In memory as well', bytes(store.memoryBytes)], ['Waits for the disk', bytes(store.pendingBytes)],
    ['Last checkpoint', store.checkpointAgeMs === undefined ? '–' : `${duration(store.checkpointAgeMs)} ago, took ${duration(store.checkpointDurationMs)}`],
    ['Segments given back', whole(store.droppedSegments)], ['Messages moved to free segments', whole(store.movedMessages)],
  ];
  return html`<dl class="card details store-figures">${figures.map(([name, value]) => html`
    <div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

export function Stores({ may }) {
  const [store, setStore] = useState(null);
  const [problem, setProblem] = useState('');
  const returns = useReturns();
  useEffect(() => {
    get('/monitor/Store').then((answer) => { setStore(answer.Store); setProblem(''); }, (failure) => setProblem(failure.message));
  }, [returns]);
  const wrong = store ? problemsOf(store) : [];
  return html`
    <h1 class="page-title">Store</h1>
    ${problem && html`<p class="note note-bad" role="alert">${problem}</p>`}
    ${store && (store.StoreBytes === undefined
      ? html`<p class="note note-info">This broker keeps nothing on disk (store mode ${store.mode}).</p>`
      : html`
        <ul class="findings" aria-label="What is wrong">${wrong.length === 0
          ? html`<li class="note note-good">Nothing is wrong with the store.</li>`
          : wrong.map(([level, what, advice]) => html`<li key=${what} class=${`note note-${level} finding`}><span><b>${what}</b> ${advice}</span></li>`)}</ul>
        <${Figures} store=${store} />
        <${TablePage} kind=${SEGMENTS} may=${may} />`)}`;
}
