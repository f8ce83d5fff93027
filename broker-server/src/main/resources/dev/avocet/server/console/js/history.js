// How figures were: the broker's own histories, and what has come since.
import { useEffect, useRef, useState } from './ui.js';
import { get } from './api.js';

const KINDS = [
  ['Endpoint', 'ReadMsgs', 'in', true],
  ['Endpoint', 'WriteMsgs', 'out', true],
  ['Endpoint', 'ActiveConnections', 'connections', false],
  ['Memory', 'MemoryFreePercent', 'memory', false],
  ['Memory', 'ServerResidentSetBytes', 'resident', false],
  ['Store', 'StoreBytes', 'store', false],
  ['Store', 'LiveBytes', 'live', false],
];

async function load(seconds) {
  const answers = await Promise.all(KINDS.map(([object, figure]) =>
    get(`/monitor/${object}?SubType=History&StatType=${figure}&Duration=${seconds}`, { background: true })
      .then((answer) => answer[object], () => ({ Data: [], Interval: 5, LastUpdateTimestamp: '' }))));
  const histories = {};
  answers.forEach((answer, index) => {
    const [, , name, grows] = KINDS[index];
    const end = Date.parse(answer.LastUpdateTimestamp) / 1000 || 0;
    const data = answer.Data || [];
    const times = data.map((value, at) => end - (data.length - 1 - at) * answer.Interval);
    const values = grows
      ? data.map((value, at) => (at === 0 ? null : Math.max(0, value - data[at - 1]) / answer.Interval))
      : data;
    histories[name] = { times, values };
  });
  return histories;
}

/** Histories of the last so many seconds, loaded again every so often. */
export function useHistories(seconds) {
  const [histories, setHistories] = useState(null);
  const range = useRef(seconds);
  range.current = seconds;
  useEffect(() => {
    let timer;
    let over = false;
    async function look() {
      try {
        const loaded = await load(seconds);
        if (!over && range.current === seconds) {
          setHistories(loaded);
        }
      } catch {
        // told above the page
      }
      if (!over) {
        timer = setTimeout(look, seconds > 3600 ? 60000 : 5000);
      }
    }
    look();
    return () => {
      over = true;
      clearTimeout(timer);
    };
  }, [seconds]);
  return histories;
}
