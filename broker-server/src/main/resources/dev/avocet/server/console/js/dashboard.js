import { classes, html, useMemo, useState } from './ui.js';
import { bytes, duration, percent, rate, short, shortTime, whole } from './format.js';
import { findings } from './findings.js';
import { Help } from './help.js';
import { icon } from './icons.js';
import { growth, useLive } from './live.js';
import { Plot } from './plot.js';
import { useHistories } from './history.js';
import { FirstRun } from './first-run.js';

const STATES = {
  starting: ['warn', 'Starting'],
  running: ['good', 'Running'],
  standby: ['good', 'Standby'],
  maintenance: ['warn', 'In maintenance'],
  stopping: ['warn', 'Stopping'],
  storeFailed: ['bad', 'Store failed'],
};
const LEVELS = {
  NORMAL: ['good', 'Enough'],
  SHRINK_CACHES: ['warn', 'Caches are emptied'],
  REJECT_MESSAGES: ['bad', 'Messages are refused'],
  REFUSE_CLIENTS: ['bad', 'Clients are refused'],
};
const STORES = {
  opening: ['warn', 'Opening'], accepting: ['good', 'Accepting'], full: ['bad', 'Full'], failed: ['bad', 'Failed'],
};
const SAFETY = { sync: 'on disk', os: 'written, not forced', memory: 'in memory only' };

function Tile({ title, about, tone, small, children }) {
  return html`
    <section class="tile card">
      <h2>${title}<${Help} about=${about} /></h2>
      <div class=${classes('tile-value', tone && `state state-${tone}`)}>${children}</div>
      ${small && html`<p class="tile-small">${small}</p>`}
    </section>`;
}

function Findings({ found }) {
  if (found.length === 0) {
    return html`<p class="note note-good finding">${icon('good')}<span>Nothing is wrong that the broker knows of.</span></p>`;
  }
  return html`
    <ul class="findings" aria-label="Findings">
      ${found.map(([tone, what, remedy]) => html`
        <li class=${`note note-${tone} finding`} key=${what}>${icon(tone)}<span><b>${what}</b> ${remedy}</span></li>`)}
    </ul>`;
}

function Tiles({ now, before }) {
  const { Health: health, Server: server, Memory: memory, Store: store, Commits: commits } = now;
  const [tone, word] = STATES[health.status] || ['warn', health.status];
  const stored = STORES[health.store.state] || ['warn', health.store.state];
  const level = memory && (LEVELS[memory.MemoryLevel] || ['warn', memory.MemoryLevel]);
  return html`
    <div class="tiles">
      <${Tile} title="State" about="state" tone=${tone}
        small=${health.endpoints.length === 1 ? `on ${health.endpoints[0]}` : `${health.endpoints.length} endpoints`}>${word}</${Tile}>
      <${Tile} title="Uptime" about="uptime" small=${`version ${health.version}`}>${duration(health.uptimeMs)}</${Tile}>
      ${health.ha && html`<${Tile} title="Pair" about="pair" tone=${health.ha.whyNotInSync ? 'bad' : undefined}
        small=${health.ha.lagBytes < 0 ? `leader ${health.ha.leader || 'unknown'}` : `lag ${bytes(health.ha.lagBytes)}, ${health.ha.lagMs} ms`}>
        ${health.ha.role}</${Tile}>`}
      ${server && html`
        <${Tile} title="Messages in" about="messagesIn" small=${`${short(server.MsgRead)} in all`}>
          ${rate(growth(now, before, 'MESSAGES_RECEIVED'))}<i>/s</i></${Tile}>
        <${Tile} title="Messages out" about="messagesOut" small=${`${short(server.MsgWrite)} in all`}>
          ${rate(growth(now, before, 'MESSAGES_DELIVERED'))}<i>/s</i></${Tile}>
        <${Tile} title="Connections" about="connections"
          small=${`${whole(server.ClientSessions)} sessions, ${whole(server.Subscriptions)} subscriptions`}>
          ${whole(server.ActiveConnections)}</${Tile}>
        <${Tile} title="Buffered messages" about="buffered" small=${`${short(server.RetainedMessages)} retained`}>
          ${short(server.BufferedMessages)}</${Tile}>
        <${Tile} title="Memory" about="memory" tone=${level[0]}
          small=${`${percent(memory.MemoryFreePercent)} of ${bytes(memory.MemoryTotalBytes)} free`}>${level[1]}</${Tile}>`}
      <${Tile} title="Store" about="store" tone=${stored[0]}
        small=${`${SAFETY[health.store.mode] || health.store.mode}${store?.DiskFreeBytes
          ? `; ${bytes(store.StoreBytes)}, ${bytes(store.DiskFreeBytes)} of the disk free` : ''}`}>${stored[1]}</${Tile}>
      ${commits && html`<${Tile} title="Commits p50 / p99" about="commit" small=${commits.Count === 1 ? 'one batch lately' : `${short(commits.Count)} batches lately`}>
        <span class="tile-pair">${commits.Count ? `${shortTime(commits.P50Ns)} / ${shortTime(commits.P99Ns)}` : '–'}</span></${Tile}>`}
      ${server && html`<${Tile} title="Rejected / discarded / expired" about="lost" small="since the start">
        ${short(server.RejectedMessages)} / ${short(server.DiscardedMessages)} / ${short(server.ExpiredMessages)}</${Tile}>`}
    </div>`;
}

function Plots() {
  const [range, setRange] = useState('hour');
  const histories = useHistories(range === 'hour' ? 3600 : 86400);
  const choose = (value, label) => html`
    <button type="button" class=${classes('button', 'small', range === value && 'is-chosen')} aria-pressed=${range === value}
      onClick=${() => setRange(value)}>${label}</button>`;
  return html`
    <div class="section-head"><h2 class="section-title">How it was</h2>
      <div class="choices" role="group" aria-label="Time span">${choose('hour', 'Last hour')}${choose('day', 'Last day')}</div></div>
    ${!histories ? html`<p class="muted" role="status">Asking for the histories …</p>` : html`
      <div class="plots">
        <${Plot} title="Messages per second" help=${html`<${Help} about="rates" />`} times=${histories.in.times} range=${range} format=${rate} atLeast=${10}
          series=${[{ label: 'In', colour: '--plot-1', values: histories.in.values },
            { label: 'Out', colour: '--plot-2', values: histories.out.values }]} />
        <${Plot} title="Connections" help=${html`<${Help} about="connections" />`} times=${histories.connections.times} range=${range} format=${short} atLeast=${10}
          series=${[{ label: 'Connections', colour: '--plot-1', values: histories.connections.values }]} />
        <${Plot} title="Heap that is free" help=${html`<${Help} about="heap" />`} times=${histories.memory.times} range=${range} format=${percent} atLeast=${100}
          series=${[{ label: 'Free', colour: '--plot-1', values: histories.memory.values }]} />
        ${histories.store.times.length > 0 && html`
          <${Plot} title="Store on disk" help=${html`<${Help} about="disk" />`} times=${histories.store.times} range=${range} format=${bytes} atLeast=${1048576} inBytes
            series=${[{ label: 'On disk', colour: '--plot-1', values: histories.store.values },
              { label: 'Alive', colour: '--plot-2', values: histories.live.values }]} />`}
      </div>`}`;
}

export function Dashboard({ may }) {
  const { now, before, problem } = useLive();
  const found = useMemo(() => (now ? findings(now, before) : []), [now]);
  const serves = !now || Boolean(now.Server); // what it was is asked for before the broker tells whether it serves
  return html`
    <h1 class="page-title">Dashboard</h1>
    <${FirstRun} may=${may} />
    ${problem && html`<p class="note note-warn" role="status">${`The figures stand still: ${problem}.`}</p>`}
    ${now
      ? html`<${Findings} found=${found} /><${Tiles} now=${now} before=${before} />`
      : html`<p class="muted" role="status">Asking the broker …</p>`}
    ${serves && html`<${Plots} />`}`;
}
