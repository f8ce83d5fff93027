// What figures mean, when to worry, and what to do then. One text for each, wherever the figure is shown.
import { html, usePopup } from './ui.js';
import { icon } from './icons.js';

const TEXTS = {
  state: ['Whether clients are served.', 'Anything but Running or Standby.', 'Look at the findings below and at the log of the broker.'],
  memory: [
    'How much of the heap is free, and what the broker leaves out because of it: from 50 % down it empties caches, from 15 % down it holds no more messages in memory only, from 10 % down it takes no new clients.',
    'It stays below 15 %.',
    'Find out which queue or subscription holds the messages (Queues, Subscriptions, by buffered messages), or give the broker more heap (BROKER_HEAP).'],
  store: ['Where acknowledged messages are kept, and whether it takes more.', 'It is full, or the disk is nearly so.', 'Free the disk, or consume what waits; then the store gives disk back by itself.'],
  connections: ['Connections that are open now, and sessions of clients, connected or not.', 'It falls or rises without a reason that you know.', 'Look at Connections, and at the log for reasons of disconnects.'],
  messagesIn: ['Messages that clients published in the last second, and in all.', 'It falls to nothing while clients should publish.', 'Look at Connections for who publishes.'],
  messagesOut: ['Messages sent to clients in the last second, once for each consumer.', 'It stays below what comes in, so that buffered messages grow.', 'Add consumers, or look for one that reads slowly.'],
  commit: ['How long the journal took to make messages durable, in the last seconds: half of them at most p50, 99 of 100 at most p99. Publishers of durable messages wait for it.', 'p99 above 50 ms on a local SSD.', 'Look for other programs that use the disk; measure it with broker-admin store.'],
  buffered: ['Messages that wait for a consumer or are in flight.', 'It grows all the time.', 'Look at Subscriptions and Queues, by buffered messages.'],
  lost: ['Messages that full subscriptions did not take (rejected), that were removed to make room for newer ones (discarded), and whose time ran out while they waited (expired). Since the start of the broker.', 'Rejected or discarded messages go up and that is not wanted.', 'Raise MaxMessages of the policy, or have consumers keep up.'],
  pair: ['Which part this broker has in its pair, and what the standby does not have yet.', 'The standby is not in sync, or its lag grows.', 'broker-admin ha status says why.'],
  uptime: ['How long the process has been running.', 'It begins anew by itself.', 'The log of the time before says why it ended.'],
};

export function Help({ about }) {
  const { open, setOpen, box } = usePopup();
  const [what, worry, remedy] = TEXTS[about];
  return html`
    <span class="help" ref=${box}>
      <button type="button" class="help-button" aria-expanded=${open} aria-label="What this figure means"
        onClick=${() => setOpen(!open)}>${icon('help')}</button>
      ${open && html`<span class="help-box card" role="note">
        <span>${what}</span>
        <span><b>Worry when:</b> ${worry}</span>
        <span><b>Then:</b> ${remedy}</span></span>`}
    </span>`;
}
