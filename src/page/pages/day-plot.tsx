import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { formatNumber } from '../parts/format.ts';
import { theme } from '../shell/theme.ts';

interface DayCount {
  /** `2026-11-16`; days are in ascending order. */
  name: string;
  count: number;
}

const HEIGHT = 200;
const DAY_S = 86_400;
/** Steps of the time axis. Counts are per day, so no step is shorter. */
const STEPS = [1, 2, 7, 14, 30, 61, 91, 182, 365].map((days) => days * DAY_S);
const shortDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });

const timeOf = (day: string): number => new Date(`${day}T00:00`).getTime();
const formatDate = (day: string): string => longDay.format(timeOf(day));

/** A line over days, with a sentence and a table for screen readers. */
export function DayPlot({ title, unit, days }: { title: string; unit: string; days: DayCount[] }) {
  const box = useRef<HTMLDivElement>(null);
  const colours = theme.value;
  const data = JSON.stringify(days);
  // Redraws on a change of theme, which has other colours.
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const plot = draw(element, JSON.parse(data), unit);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, unit, colours]);
  const [first, last] = [days[0], days.at(-1)];
  return (
    <section class="card">
      <h2>{title}</h2>
      {first && last && (
        <p class="quiet">
          {formatNumber(first.count)} {unit} on {formatDate(first.name)}
          {first !== last && `, ${formatNumber(last.count)} on ${formatDate(last.name)}`}.
        </p>
      )}
      {days.length > 1 && <div class="plot" ref={box} aria-hidden="true" />}
      <details class="as-table">
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{unit}</th>
            </tr>
          </thead>
          <tbody>
            {[...days].reverse().map(({ name, count }) => (
              <tr key={name}>
                <td class="num">{formatDate(name)}</td>
                <td class="num">{formatNumber(count)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}

function draw(element: HTMLElement, days: DayCount[], unit: string): uPlot {
  const style = getComputedStyle(element);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: colour('ink-3'),
    font: `12px ${colour('sans')}`,
    grid: { stroke: colour('line'), width: 1 },
    ticks: { show: false },
  };
  return new uPlot(
    {
      ...{ width: element.clientWidth, height: HEIGHT },
      ...{ legend: { show: false }, cursor: { show: false } },
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
      axes: [
        { ...axis, incrs: STEPS, values: (_, splits) => splits.map((at) => shortDay.format(at * 1_000)) },
        { ...axis, size: 64, values: (_, splits) => splits.map(formatNumber) },
      ],
      series: [
        {},
        {
          label: unit,
          stroke: colour('accent'),
          width: 2,
          fill: colour('accent-soft'),
          points: { show: days.length < 40 },
        },
      ],
    },
    [days.map(({ name }) => timeOf(name) / 1_000), days.map(({ count }) => count)],
    element,
  );
}
