// Figures as people read them.
const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

export const whole = (value) => (Number.isFinite(value) ? WHOLE.format(value) : '–');

export function short(value) {
  if (!Number.isFinite(value)) {
    return '–';
  }
  return Math.abs(value) < 10000 ? WHOLE.format(value) : SHORT.format(value);
}

export function rate(value) {
  if (!Number.isFinite(value)) {
    return '–';
  }
  return value !== 0 && Math.abs(value) < 10 ? value.toFixed(1) : short(value);
}

export function bytes(value) {
  if (!Number.isFinite(value)) {
    return '–';
  }
  let rest = value;
  let unit = 0;
  while (Math.abs(rest) >= 1024 && unit < UNITS.length - 1) {
    rest /= 1024;
    unit += 1;
  }
  return `${unit === 0 || Math.abs(rest) >= 100 ? Math.round(rest) : rest.toFixed(1)} ${UNITS[unit]}`;
}

export function percent(value) {
  return Number.isFinite(value) ? `${value < 10 ? value.toFixed(1) : Math.round(value)} %` : '–';
}

/** A time that has passed, in the two largest units that say something. */
export function duration(milliseconds) {
  if (!Number.isFinite(milliseconds) || milliseconds < 0) {
    return '–';
  }
  const parts = [
    [Math.floor(milliseconds / 86400000), 'd'],
    [Math.floor(milliseconds / 3600000) % 24, 'h'],
    [Math.floor(milliseconds / 60000) % 60, 'min'],
    [Math.floor(milliseconds / 1000) % 60, 's'],
  ];
  const first = parts.findIndex(([value]) => value > 0);
  if (first < 0) {
    return milliseconds < 1 && milliseconds > 0 ? '< 1 ms' : `${Math.round(milliseconds)} ms`;
  }
  return parts.slice(first, first + 2).filter(([value]) => value > 0).map(([value, unit]) => `${value} ${unit}`).join(' ');
}

/** A short time, such as that of a commit, given in nanoseconds. */
export function shortTime(nanoseconds) {
  if (!Number.isFinite(nanoseconds)) {
    return '–';
  }
  if (nanoseconds < 1000000) {
    return `${Math.round(nanoseconds / 1000)} µs`;
  }
  return nanoseconds < 1000000000
    ? `${(nanoseconds / 1000000).toFixed(nanoseconds < 10000000 ? 2 : 1)} ms`
    : `${(nanoseconds / 1000000000).toFixed(2)} s`;
}
