// What is wrong, or soon will be, in one line each with what to do. Worst first.
import { bytes, duration, percent, rate } from './format.js';
import { growth } from './live.js';

const LEVELS = {
  SHRINK_CACHES: ['warn', 'so caches are emptied'],
  REJECT_MESSAGES: ['bad', 'so no more messages are held in memory only, and those that would have to be are refused'],
  REFUSE_CLIENTS: ['bad', 'so no new clients are let in, and publishers wait'],
};
const NEARLY_FULL_PERCENT = 90;
const OLD_CHECKPOINT_MS = 30 * 60 * 1000;

function ofProcess({ Health: health, Problems: problems }) {
  const found = [];
  if (health.status === 'maintenance') {
    found.push(['warn', 'The broker is in maintenance mode: clients are not served.', 'End it with broker-admin service maintenance stop.']);
  } else if (health.status !== 'standby') {
    problems.forEach((problem) => found.push(['bad', `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`,
      'Clients are not served, or not at every endpoint, until that is mended.']));
  }
  return found;
}

function ofPair({ Health: { ha } }) {
  const found = [];
  if (ha?.whyNotInSync) {
    found.push(['bad', `The standby is not in sync: ${ha.whyNotInSync}.`, 'Until it is, the failure of this broker loses the service, or waits for it.']);
  }
  if (ha?.paused) {
    found.push(['warn', 'This standby is paused, and is not promoted.', 'broker-admin ha resume ends that.']);
  }
  if (ha?.diskFull) {
    found.push(['bad', 'The disk of this standby is full.', 'Free some of it; the standby comes back by itself.']);
  }
  return found;
}

function ofMemory({ Memory: memory }) {
  const level = LEVELS[memory.MemoryLevel];
  return level
    ? [[level[0], `${percent(memory.MemoryFreePercent)} of the heap is free, ${level[1]}.`,
      'Find the queue or the subscription that holds the messages, or give the broker more heap (BROKER_HEAP).']]
    : [];
}

function ofStore({ Store: store }) {
  const found = [];
  if (store.state === 'full') {
    found.push(['bad', 'The store is full, so durable messages are refused.', 'Free its disk, or consume what waits.']);
  } else if (store.DiskUsedPercent >= NEARLY_FULL_PERCENT) {
    found.push(['warn', `The disk of the store is ${store.DiskUsedPercent} % full; ${bytes(store.DiskFreeBytes)} are free.`,
      'Free some of it before the store has to refuse messages.']);
  }
  if (store.checkpointFailures > 0) {
    found.push(['warn', `${store.checkpointFailures} checkpoints of the store have failed.`, 'The log says why. Until one succeeds the store grows, and a start takes longer.']);
  } else if (store.checkpointAgeMs > OLD_CHECKPOINT_MS && store.commits > 0 && store.pendingBytes > 0) {
    found.push(['warn', `The last checkpoint is ${duration(store.checkpointAgeMs)} old.`, 'The log says what keeps the store from taking one.']);
  }
  if (store.lostMessages > 0) {
    found.push(['bad', `${store.lostMessages} stored messages could not be read back.`, 'Check the store with broker-admin store verify when the broker is stopped, and the disk.']);
  }
  return found;
}

function ofMessages(now, before) {
  const found = [];
  const rejected = growth(now, before, 'MESSAGES_REJECTED');
  if (rejected > 0) {
    found.push(['bad', `Full subscriptions refuse ${rate(rejected)} messages a second.`, 'See which under Subscriptions, by rejected messages; have their consumers keep up, or raise MaxMessages.']);
  }
  const discarded = growth(now, before, 'MESSAGES_DISCARDED');
  if (discarded > 0) {
    found.push(['warn', `${rate(discarded)} messages a second are discarded to make room for newer ones.`, 'See which under Subscriptions, by discarded messages.']);
  }
  const failures = growth(now, before, 'AUTHENTICATION_FAILURES');
  if (failures > 0) {
    found.push(['warn', `${rate(failures)} logins of clients a second fail.`, 'The log says who, and from where.']);
  }
  const refused = growth(now, before, 'CONNECTIONS_REFUSED');
  if (refused > 0) {
    found.push(['warn', `${rate(refused)} connections a second are refused because a limit is reached.`, 'See the limits of the endpoint, or find the clients that connect again and again.']);
  }
  return found;
}

export function findings(now, before) {
  const found = [...ofProcess(now), ...ofPair(now)];
  if (now.Memory) {
    found.push(...ofMemory(now), ...ofMessages(now, before));
  }
  if (now.Store) {
    found.push(...ofStore(now));
  }
  return found.sort(([one], [other]) => (one === other ? 0 : one === 'bad' ? -1 : 1));
}
