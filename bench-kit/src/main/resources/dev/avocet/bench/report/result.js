// Draws the plots of a page of results, and changes its theme.
'use strict';
(() => {
  const HEIGHT = 220;
  const COLOURS = 8;
  const ROUND = [1, 2, 5];
  const SECONDS = [...[-3, -2, -1].flatMap((power) => ROUND.map((digit) => digit * 10 ** power)),
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 28800, 86400];
  const NUMBERS = Array.from({ length: 24 }, (none, power) => ROUND.map((digit) => digit * 10 ** (power - 6))).flat();
  const PERCENTS = ['0', '90', '99', '99.9', '99.99', '99.999', '99.9999'].map((percent) => `${percent} %`);
  const THEMES = ['system', 'light', 'dark'];
  const WHOLE = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
  const SHORT = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

  const data = JSON.parse(document.getElementById('plots').textContent);
  const drawn = [];

  const trimmed = (value, digits) => String(Number(value.toFixed(digits)));

  function timeOf(nanoseconds) {
    const [value, unit] = nanoseconds < 1e6 ? [nanoseconds / 1e3, 'µs']
      : nanoseconds < 1e9 ? [nanoseconds / 1e6, 'ms'] : [nanoseconds / 1e9, 's'];
    return `${trimmed(value, value < 10 ? 2 : value < 100 ? 1 : 0)} ${unit}`;
  }

  function secondsOf(seconds) {
    if (seconds < 600) {
      return `${trimmed(seconds, 3)} s`;
    }
    const minutes = Math.floor(seconds / 60);
    const rest = Math.round(seconds % 60);
    const clock = minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
    return rest ? `${clock} ${rest} s` : clock;
  }

  function numberOf(value) {
    return Math.abs(value) < 10 ? trimmed(value, 2) : WHOLE.format(value);
  }

  const UNITS = {
    RATE: { tick: (value) => (Math.abs(value) < 10000 ? numberOf(value) : SHORT.format(value)), exact: (value) => `${numberOf(value)}/s` },
    COUNT: { tick: (value) => (Math.abs(value) < 10000 ? numberOf(value) : SHORT.format(value)), exact: numberOf },
    TIME: { tick: timeOf, exact: timeOf },
    SECONDS: { tick: secondsOf, exact: secondsOf },
    PERCENTILE: {
      tick: (nines) => PERCENTS[Math.round(nines)],
      exact: (nines) => `${trimmed(100 - 100 * 10 ** -nines, Math.max(1, Math.ceil(nines)))} %`,
    },
  };

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const colourOf = (curve) => (curve.dashed ? colour('--muted') : colour(`--plot-${1 + (curve.colour % COLOURS)}`));

  // Whole decades, and what is round between them where there are few.
  function decades(low, high) {
    const first = Math.floor(Math.log10(low) + 1e-9);
    const last = Math.ceil(Math.log10(high) - 1e-9);
    const between = last - first <= 3 ? ROUND : [1];
    const ticks = [];
    for (let power = first; power <= last; power += 1) {
      between.forEach((digit) => ticks.push(digit * 10 ** power));
    }
    return ticks.filter((tick) => tick >= low * 0.999 && tick <= high * 1.001);
  }

  // To the round numbers around what there is.
  function rangeOfLogarithms(low, high) {
    if (!(low > 0) || !(high > 0)) {
      return [1e3, 1e6];
    }
    const below = [5, 2, 1].map((digit) => digit * 10 ** Math.floor(Math.log10(low))).find((tick) => tick <= low * 1.0001);
    const above = [1, 2, 5, 10].map((digit) => digit * 10 ** Math.floor(Math.log10(high))).find((tick) => tick >= high * 0.9999);
    return above > below ? [below, above] : [below, below * 10];
  }

  function scales(plot) {
    return {
      x: { time: false, range: (u, low, high) => (plot.x === 'SECONDS' && !u.zoomed ? [0, high || 1] : [low, high > low ? high : low + 1]) },
      y: plot.y === 'TIME'
        ? { distr: 3, log: 10, range: (u, low, high) => rangeOfLogarithms(low, high) }
        : { range: (u, low, high) => [0, (high || 1) * 1.06] },
    };
  }

  function axes(plot) {
    const axis = { stroke: colour('--muted'), grid: { stroke: colour('--line'), width: 1 }, ticks: { show: false },
      font: `11px ${getComputedStyle(document.body).fontFamily}` };
    const ofTime = plot.y === 'TIME'
      ? { splits: (u, index, low, high) => decades(low, high), filter: (u, splits) => splits }
      : { incrs: NUMBERS };
    const ofPercent = plot.x === 'PERCENTILE'
      ? { splits: (u, index, low, high) => PERCENTS.map((text, nines) => nines).filter((nines) => nines >= low && nines <= high) }
      : { incrs: SECONDS };
    return [
      { ...axis, size: 28, gap: 5, space: 64, values: (u, splits) => splits.map(UNITS[plot.x].tick), ...ofPercent },
      { ...axis, size: 66, gap: 6, space: 30, values: (u, splits) => splits.map(UNITS[plot.y].tick), ...ofTime },
    ];
  }

  // Behind the curves: what was not measured, and when the harness itself stood still.
  function drawBands(u, bands) {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    bands.forEach((band) => {
      const from = Math.max(left, u.valToPos(band.from, 'x', true));
      const to = Math.min(left + width, u.valToPos(band.to, 'x', true));
      if (to >= left && from <= left + width) {
        u.ctx.globalAlpha = band.kind === 'phase' ? 0.1 : 0.35;
        u.ctx.fillStyle = colour(band.kind === 'phase' ? '--muted' : band.kind === 'collector' ? '--warn' : '--info');
        u.ctx.fillRect(from, top, Math.max(devicePixelRatio, to - from), height);
      }
    });
    u.ctx.restore();
  }

  // What there is to say of the place that is pointed at.
  function bandsAt(u, bands) {
    const at = u.posToVal(u.cursor.left, 'x');
    const near = (u.scales.x.max - u.scales.x.min) / u.width * 3;
    return bands.filter((band) => at >= band.from - near && at <= band.to + near).map((band) => band.text);
  }

  function options(plot, width, note) {
    const unit = UNITS[plot.y];
    return {
      width,
      height: HEIGHT,
      padding: [8, 30, 0, 0],
      cursor: { points: { size: 7 }, drag: { x: true, y: false } },
      legend: { live: true },
      scales: scales(plot),
      axes: axes(plot),
      series: [
        { label: plot.x === 'SECONDS' ? 'After' : 'Percentile', value: (u, value) => (value === null ? '' : UNITS[plot.x].exact(value)) },
        ...plot.curves.map((curve) => ({
          label: curve.label,
          stroke: colourOf(curve),
          width: 1.6,
          dash: curve.dashed ? [6, 4] : undefined,
          points: { show: curve.values.length === 1 },
          value: (u, value) => (value === null || value === undefined ? '–' : unit.exact(value)),
        })),
      ],
      hooks: {
        drawAxes: [(u) => drawBands(u, plot.bands)],
        setSelect: [(u) => { u.zoomed = u.select.width > 0; }],
        setCursor: [(u) => { note.textContent = u.cursor.left < 0 ? '' : bandsAt(u, plot.bands).slice(0, 3).join('; '); }],
      },
    };
  }

  function draw(box) {
    const plot = data.plots[Number(box.dataset.plot)];
    const tables = plot.curves.map((curve) => [data.positions[curve.at], curve.values]);
    const note = box.parentElement.querySelector('.plot-note');
    const shown = new uPlot(options(plot, box.clientWidth, note), uPlot.join(tables), box);
    shown.over.addEventListener('dblclick', () => { shown.zoomed = false; }, true);
    return shown;
  }

  const boxes = [...document.querySelectorAll('.plot-box')];
  function drawAll() {
    drawn.splice(0).forEach((plot) => plot.destroy());
    boxes.forEach((box) => drawn.push(draw(box)));
  }
  drawAll();

  new ResizeObserver(() => drawn.forEach((plot, index) => {
    const width = boxes[index].clientWidth;
    if (width > 0 && width !== plot.width) {
      plot.setSize({ width, height: HEIGHT });
    }
  })).observe(document.querySelector('main'));
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);

  const button = document.getElementById('theme');
  button.hidden = false;
  button.addEventListener('click', () => {
    const root = document.documentElement;
    const next = THEMES[(THEMES.indexOf(root.dataset.theme || 'system') + 1) % THEMES.length];
    if (next === 'system') {
      delete root.dataset.theme;
    } else {
      root.dataset.theme = next;
    }
    button.textContent = `Theme: ${next}`;
    drawAll();
  });
})();
