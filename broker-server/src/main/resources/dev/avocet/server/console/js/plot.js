// Plots over time.
import { html, useEffect, useRef } from './ui.js';

const HEIGHT = 160;
const SHORTEST_S = 300;
const BYTES = Array.from({ length: 40 }, (none, power) => 2 ** power);
const PLAN = { hour: 3600, day: 86400 };

const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
const exact = (seconds) => new Date(seconds * 1000).toLocaleTimeString('en-GB');

function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function options(width, series, format, atLeast, seconds, inBytes) {
  const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false },
    font: `11px ${getComputedStyle(document.body).fontFamily}` };
  return {
    width,
    height: HEIGHT,
    padding: [8, 6, 0, 0],
    cursor: { points: { size: 7 }, drag: { x: false, y: false } },
    legend: { live: true },
    scales: {
      x: { range: (plot, from, to) => [Math.max(to - seconds, Math.min(from, to - SHORTEST_S)), to] },
      y: { range: (plot, low, high) => [0, Math.max(atLeast, (high || 0) * 1.12)] },
    },
    axes: [
      { ...axis, size: 26, gap: 4, space: 60, values: (plot, splits) => splits.map(clock) },
      { ...axis, size: 62, space: 32, values: (plot, splits) => splits.map(format), ...(inBytes ? { incrs: BYTES } : {}) },
    ],
    series: [
      { label: 'Time', value: (plot, value) => (value === null ? '' : exact(value)) },
      ...series.map((each) => ({
        label: each.label,
        stroke: colour(each.colour),
        fill: `color-mix(in srgb, ${colour(each.colour)} 10%, transparent)`,
        width: 1.6,
        points: { show: false },
        spanGaps: false,
        value: (plot, value) => (value === null || value === undefined ? '–' : format(value)),
      })),
    ],
  };
}

/** `series`: label, colour, values; all at the same times. `atLeast`: how far the axis goes when there is little. */
export function Plot({ title, help, times, series, format, atLeast, range, inBytes }) {
  const box = useRef(null);
  const plot = useRef(null);
  const data = useRef(null);
  data.current = [times, ...series.map((each) => each.values)];
  const shown = series.map((each) => each.label).join();

  useEffect(() => {
    function draw() {
      plot.current?.destroy();
      plot.current = new window.uPlot(
        options(box.current.clientWidth, series, format, atLeast, PLAN[range], inBytes), data.current, box.current);
    }
    draw();
    const resized = new ResizeObserver(() => {
      if (plot.current && box.current.clientWidth !== plot.current.width) {
        plot.current.setSize({ width: box.current.clientWidth, height: HEIGHT });
      }
    });
    resized.observe(box.current);
    const dark = window.matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    window.addEventListener('avocet-theme', draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      window.removeEventListener('avocet-theme', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [shown, range]);

  useEffect(() => {
    plot.current?.setData(data.current);
  }, [times]);

  const last = series.map((each) => `${each.label} ${format(each.values[each.values.length - 1] ?? NaN)}`).join(', ');
  return html`
    <section class="card plot">
      <h2>${title}${help}</h2>
      <div ref=${box} role="img" aria-label=${`${title} over time. Now: ${last}`}></div>
    </section>`;
}
