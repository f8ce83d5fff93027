// Line drawings of 24 by 24.
import { html } from './ui.js';

const PATHS = {
  dashboard: 'M4 13a8 8 0 1 1 16 0M12 13l4-4M4 17h16',
  connections: 'M4 8h6a4 4 0 0 1 0 8H8M20 16h-6a4 4 0 0 1 0-8h2',
  subscriptions: 'M4 18v-6M9 18V6M14 18v-9M19 18v-4',
  queues: 'M4 7h16M4 12h16M4 17h10',
  topics: 'M9 4 7 20M17 4l-2 16M4 9h16M3 15h16',
  retained: 'M6 4h12v16l-6-4-6 4z',
  endpoints: 'M5 12a7 7 0 0 1 14 0M8.500 12a3.500 3.500 0 0 1 7 0M12 12v8',
  transactions: 'M4 8h13l-3-3M20 16H7l3 3',
  store: 'M4 7c0-4 16-4 16 0s-16 4-16 0v10c0 4 16 4 16 0V7M4 12c0 4 16 4 16 0',
  key: 'M8 15a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 11h9M18 11v4',
  send: 'M4 12 20 4l-5 16-3-7zM12 13l8-9',
  configure: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 5v4M9 15v4',
  changes: 'M6 4h8l4 4v12H6zM9 11h6M12 8v6M9 17h6',
  file: 'M6 4h8l4 4v12H6zM13 4v5h5',
  transfer: 'M8 20V6M4 10l4-4 4 4M16 4v14M12 14l4 4 4-4',
  setup: 'M5 19 15 9M13 5l1 2 2 1-2 1-1 2-1-2-2-1 2-1zM18 13l.7 1.300L20 15l-1.300.7L18 17l-.7-1.300L16 15l1.300-.7z',
  history: 'M4 12a8 8 0 1 0 3-6.200M4 4v4h4M12 8v4l3 2',
  menu: 'M4 7h16M4 12h16M4 17h16',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4 20c1-4 4-6 8-6s7 2 8 6',
  sun: 'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 3v2M12 19v2M3 12h2M19 12h2M5.600 5.600l1.400 1.400M17 17l1.400 1.400M5.600 18.400 7 17M17 7l1.400-1.400',
  moon: 'M19 14.500A7.500 7.500 0 0 1 9.500 5a7.500 7.500 0 1 0 9.500 9.500Z',
  auto: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM12 4v16',
  close: 'M6 6l12 12M18 6 6 18',
  search: 'M11 17a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM20 20l-4.500-4.500',
  help: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM9.800 9.500a2.300 2.300 0 1 1 3.400 2c-.8.500-1.200 1-1.200 2M12 16.200v.1',
  good: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM8.500 12l2.500 2.500 4.500-5',
  warn: 'M12 4 3 19h18ZM12 10v4M12 16.500v.1',
  bad: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16ZM12 8v5M12 15.800v.1',
  next: 'M9 5l7 7-7 7',
  back: 'M15 5l-7 7 7 7',
};

export function icon(name) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
}
