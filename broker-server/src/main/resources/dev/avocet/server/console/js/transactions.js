// Global transactions that are in doubt, and those that administrators have ended in the place of their coordinators.
import { html } from './ui.js';
import { get, request } from './api.js';
import { whole } from './format.js';
import { TablePage } from './table.js';

const PAGE = 25;
const WORDS = { Prepared: ['warn', 'in doubt'], HeuristicCommit: ['off', 'committed by an administrator'], HeuristicRollback: ['off', 'rolled back by an administrator'] };

async function load({ filters, order, offset }) {
  const query = new URLSearchParams({ StatType: order, ResultCount: PAGE, ResultOffset: offset });
  filters.forEach(([name, text, isPattern]) => query.set(name, isPattern && !text.includes('*') ? `*${text}*` : text));
  const answer = await get(`/service/Transaction?${query}`);
  return { rows: answer.Transaction, found: answer.Found };
}

const end = (how) => (row) => request('POST', `/service/${how}/transaction`, { body: { XID: row.XID } }).then((answer) => answer.Message);
const isPrepared = (row) => row.TranState === 'Prepared';
const contents = (row) => `It sends ${whole(row.Messages)} messages and takes ${whole(row.Acknowledgements)}`;
const ELSEWHERE = 'What its coordinator decides for its other branches may be different; then the data of the systems does not fit together any more.';

const TRANSACTIONS = {
  title: 'Transactions in doubt',
  note: 'Prepared global transactions (XA), which wait for the decision of their coordinator. End one here only when the coordinator cannot.',
  none: 'No transaction is in doubt that fits.',
  load,
  order: 'OldestFirst',
  nameOf: (row) => row.XID,
  filters: [
    { name: 'XID', label: 'Identifier (XID)' }, { name: 'UserID', label: 'User' },
    { name: 'TranState', label: 'State', choices: [['All', 'All'], ['Prepared', 'In doubt'], ['Heuristic', 'Ended by administrators'],
      ['HeuristicCommit', 'Committed so'], ['HeuristicRollback', 'Rolled back so']] },
  ],
  columns: [
    { name: 'XID', title: 'Identifier (XID)', mono: true },
    { title: 'State', show: (row) => html`<span class=${`state state-${WORDS[row.TranState][0]}`}>${WORDS[row.TranState][1]}</span>` },
    { name: 'UserID', title: 'User' },
    { title: 'Prepared', orders: ['NewestFirst', 'OldestFirst'], show: (row) => (row.PreparedAt ? new Date(row.PreparedAt).toLocaleString('en-GB') : '') },
    { title: 'Sends', number: true, orders: ['MessagesHighest'], show: (row) => whole(row.Messages) },
    { title: 'Takes', number: true, orders: ['AcknowledgementsHighest'], show: (row) => whole(row.Acknowledgements) },
  ],
  actions: [{
    word: 'Commit',
    when: isPrepared,
    title: (row) => `Commit ${row.XID} in the place of its coordinator?`,
    lost: (row) => `${contents(row)}: the ones come to their receivers, the others are gone. That cannot be undone. ${ELSEWHERE}`,
    act: end('commit'),
  }, {
    word: 'Roll back',
    when: isPrepared,
    title: (row) => `Roll ${row.XID} back in the place of its coordinator?`,
    lost: (row) => `${contents(row)}: the ones are lost, the others are delivered again. That cannot be undone. ${ELSEWHERE}`,
    act: end('rollback'),
  }, {
    word: 'Forget',
    when: (row) => !isPrepared(row),
    title: (row) => `Forget how ${row.XID} was ended?`,
    lost: () => 'Its coordinator, if it asks again, is told that there is no such transaction, and not how it was ended. Messages are not concerned.',
    act: end('forget'),
  }],
};

export function Transactions({ may }) {
  return html`<${TablePage} kind=${TRANSACTIONS} may=${may} />`;
}
