export interface Progress {
  done: number;
  all: number;
  items: number;
}

export interface ProgressScreen {
  isTerminal: boolean;
  width: number;
  /** For programs: prints a line of JSON each time. */
  isJson?: boolean;
  write(text: string): void;
  now: () => number;
}

const BAR_WIDTH = 24;
const EVERY_MS = { terminal: 100, json: 200, plain: 5_000 };

/** On a terminal a bar with rate and time left; elsewhere a plain line every few seconds. */
export function createProgressLine(screen: ProgressScreen, unit: string) {
  const { width, isJson = false, write, now } = screen;
  const isTerminal = screen.isTerminal && !isJson;
  const form = isJson ? 'json' : isTerminal ? 'terminal' : 'plain';
  const began = now();
  let last = form === 'plain' ? began : Number.NEGATIVE_INFINITY;

  return {
    show(progress: Progress): void {
      if (now() - last < EVERY_MS[form]) return;
      last = now();
      if (isJson) {
        write(`${JSON.stringify(progress)}\n`);
        return;
      }
      const line = formatProgress(progress, (now() - began) / 1_000, unit);
      if (isTerminal) write(`\r\u001b[K${`${barOf(progress)} ${line}`.slice(0, width - 1)}`);
      else write(`${line}\n`);
    },
    clear(): void {
      if (isTerminal) write('\r\u001b[K');
    },
  };
}

export function formatProgress({ done, all, items }: Progress, seconds: number, unit: string): string {
  const percent = all === 0 ? 100 : Math.floor((done / all) * 100);
  const rate = seconds > 0 ? Math.round(items / seconds) : 0;
  const left = done > 0 && seconds > 0 ? ((all - done) / done) * seconds : undefined;
  const parts = [`${percent} %`, `${items} ${unit}`, `${rate}/s`];
  return [...parts, ...(left === undefined || done >= all ? [] : [`${durationOf(left)} left`])].join('  ');
}

function barOf({ done, all }: Progress): string {
  const full = all === 0 ? BAR_WIDTH : Math.min(BAR_WIDTH, Math.floor((done / all) * BAR_WIDTH));
  return `${'█'.repeat(full)}${'░'.repeat(BAR_WIDTH - full)}`;
}

function durationOf(seconds: number): string {
  const whole = Math.max(1, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  const minutes = Math.ceil(whole / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
