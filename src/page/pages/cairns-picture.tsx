import { count, formatNumber } from '../parts/format.ts';
import { typeName } from '../parts/type-mark.tsx';
import { type Cairn, type Canvas, drawHills, type Stone } from './cairn-shapes.ts';
import { countMemories, type PeriodSession } from './week.ts';

export interface Picture {
  canvas: Canvas;
  cairns: Cairn[];
  /** `Tue 10`, or `Tue` on a narrow screen. */
  dayNames: string[];
  today: number | null;
  runningDay: number | null;
  /** Whether stones show the names of projects: people share these pictures. */
  hasNames: boolean;
}

/** The share of the type's colour in the colour of a stone, in percent. */
export const STONE_SHARE = 74;

export function CairnsPicture({ picture }: { picture: Picture }) {
  const { canvas, cairns, dayNames, today, runningDay, hasNames } = picture;
  const { width, height, ground, isNarrow } = canvas;
  return (
    <svg viewBox={`0 0 ${width} ${height}`} role="group" aria-label="One stone for each session, day by day">
      <defs>
        <linearGradient id="stone-light" x1="0" y1="0" x2="0" y2="1">
          <stop offset="0" stop-color="#fff" stop-opacity=".34" />
          <stop offset=".45" stop-color="#fff" stop-opacity="0" />
          <stop offset="1" stop-color="#000" stop-opacity=".22" />
        </linearGradient>
      </defs>
      <circle class="sun" cx={width * 0.86} cy={height * 0.2} r={isNarrow ? 15 : 30} />
      {drawHills(canvas).map(({ outline, opacity }) => (
        <path class="hill" key={outline} d={outline} opacity={opacity} />
      ))}
      {cairns.map(({ centre, top, shadow, memories, stones }, day) => (
        <g key={dayNames[day]}>
          {stones.length > 0 && (
            <ellipse cx={centre} cy={ground + 3} rx={shadow} ry={isNarrow ? 3 : 6} opacity=".12" />
          )}
          {stones.map((stone) => (
            <StoneLink key={stone.session.id} stone={stone} hasName={hasNames && !isNarrow} />
          ))}
          {runningDay === day && (
            <g class="running">
              <circle cx={centre} cy={top - (isNarrow ? 9 : 16)} r={isNarrow ? 3.5 : 5} />
              <circle class="ring" cx={centre} cy={top - (isNarrow ? 9 : 16)} r={isNarrow ? 6 : 9} />
            </g>
          )}
          <text
            class={today === day ? 'day-name today' : 'day-name'}
            x={centre}
            y={ground + (isNarrow ? 21 : 27)}
          >
            {dayNames[day]}
          </text>
          <text class="day-count" x={centre} y={ground + (isNarrow ? 36 : 45)}>
            {isNarrow ? formatNumber(memories) : count(memories, 'memory', 'memories')}
          </text>
        </g>
      ))}
    </svg>
  );
}

function StoneLink({ stone, hasName }: { stone: Stone; hasName: boolean }) {
  const { session, outline, left, top, width, height, angle, bands } = stone;
  const id = `stone-${session.id}`;
  const middle = { x: left + width / 2, y: top + height / 2 };
  return (
    <a class="stone" href={`/s/${session.id}`} aria-label={describeSession(session)}>
      <title>{describeSession(session)}</title>
      <clipPath id={id}>
        <path d={outline} />
      </clipPath>
      <g transform={`rotate(${angle} ${middle.x} ${middle.y})`}>
        <g clip-path={`url(#${id})`}>
          {bands.map((band) => (
            <rect
              key={band.type}
              x={band.left}
              y={top - 2}
              width={band.width + 0.6}
              height={height + 4}
              fill={`color-mix(in srgb, var(--t-${band.type}) ${STONE_SHARE}%, var(--stone))`}
            />
          ))}
          <rect x={left} y={top - 2} width={width} height={height + 4} fill="url(#stone-light)" />
        </g>
        <path class="outline" d={outline} />
        {hasName && (
          <text class="stone-name" x={middle.x} y={middle.y + 4}>
            {session.project}
          </text>
        )}
      </g>
    </a>
  );
}

export function describeSession(session: PeriodSession): string {
  const types = session.byType.map(({ name, count: number }) => `${number} ${typeName(name).toLowerCase()}`);
  const memories = count(countMemories(session), 'memory', 'memories');
  return `${session.project}: ${session.title?.split('\n')[0]?.slice(0, 80) ?? 'a session'}. ${memories}: ${types.join(', ')}`;
}
