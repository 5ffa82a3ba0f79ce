import type { TurnCall } from '../../turn.ts';
import { outputOf } from './response.ts';
import { type ShellStep, splitShell } from './shell.ts';

export type RunKind = 'test' | 'build' | 'lint' | 'install' | 'git' | 'look' | 'other';

/** A command that was run. */
export interface Run {
  call: TurnCall;
  /** Its place among the calls of the turn. */
  place: number;
  kind: RunKind;
  /** As one would type it again: without `cd`, pipes and redirections. */
  command: string;
  /** Runs of the same thing share it, whatever their options. */
  subject: string;
  green: boolean;
  output: string;
  steps: ShellStep[];
}

const kinds: [RunKind, RegExp][] = [
  [
    'test',
    /^(?:(?:npm|pnpm|yarn|bun)(?: run| -s| --silent| --prefix \S+| -C \S+| -w \S+)* (?:t|tests?|test:\S+|e2e)\b|(?:npx |pnpm exec |yarn |bunx |uv run |poetry run |python3? -m |bundle exec )?(?:vitest|jest|mocha|ava|tap|pytest|unittest|nose2|tox|nox|rspec|phpunit|playwright|cypress|bats|ctest|karma)\b|node .*--test\b|cargo (?:\+\S+ )?(?:test|nextest)|go test|mvn .*\b(?:test|verify)|(?:\.\/)?gradlew? .*\btest|dotnet test|mix test|swift test|deno test|make (?:test|check)\b|(?:sh|bash|\.\/)?\s?\S*\btests?(?:[-_]\w+)*\.(?:sh|py|mjs|js)\b|(?:node|python3?|deno run|ruby|sh|bash) \S*tests?[/_.-]\S+)/,
  ],
  [
    'install',
    /^(?:(?:npm|pnpm|yarn|bun) (?:i|install|add|remove|uninstall|ci|rm|up|update|upgrade)\b|(?:python3? -m )?pip3? (?:install|uninstall)|uv (?:add|remove|pip install|sync)|poetry (?:add|remove|install)|cargo (?:add|remove|install)|go (?:get|mod)|gem install|bundle (?:add|install)|composer (?:require|remove|install)|apt(?:-get)? install|brew install|dotnet add)/,
  ],
  [
    'lint',
    /\b(?:eslint|biome|prettier|ruff|flake8|pylint|clippy|golangci-lint|shellcheck|rubocop|stylelint|(?:npm|pnpm|yarn|bun) run (?:lint|format|fmt|check\S*))\b/,
  ],
  [
    'build',
    /\b(?:tsc|webpack|esbuild|vite build|rollup|tsup|tsdown|cargo (?:build|check)|go (?:build|vet)|make|cmake|mvn|gradlew?|docker build|(?:npm|pnpm|yarn|bun)(?: run)? (?:build|compile|typecheck)\S*|mypy|pyright)\b/,
  ],
  ['git', /^git\b(?! (?:status|log|diff|show|blame|branch$|grep|ls-files|rev-parse|remote|config --get))/],
  [
    'look',
    /^(?:ls|cat|head|tail|grep|rg|ag|find|fd|tree|wc|pwd|which|type|file|stat|du|df|ps|env|printenv|date|whoami|uname|jq|less|awk|sed -n|echo|printf|sort|diff|test|\[|git (?:status|log|diff|show|blame|branch|grep|ls-files|rev-parse|remote|config --get))\b/,
  ],
];

export function collectRuns(calls: TurnCall[]): Run[] {
  return calls.flatMap((call, place) => {
    if (call.does !== 'command' || call.command === undefined || call.outcome === 'refused') return [];
    const steps = splitShell(call.command);
    const step = mainStep(steps);
    if (!step) return [];
    const kind = kindOfStep(step);
    const output = outputOf(call.response);
    const hidesExit = step.isPiped && kind !== 'look';
    const green =
      call.outcome === 'success' &&
      !(kind === 'test' && saysRed(output)) &&
      !(hidesExit && saysFailed(output));
    return [
      { call, place, kind, command: commandOf(step), subject: subjectOf(step, kind), green, output, steps },
    ];
  });
}

/** What a line of several commands is about: its tests, if it runs any; else the first that does something. */
function mainStep(steps: ShellStep[]): ShellStep | undefined {
  const ofKind = (kind: RunKind) => steps.find((step) => kindOfStep(step) === kind);
  return ofKind('test') ?? steps.find((step) => kindOfStep(step) !== 'look') ?? steps[0];
}

export function kindOfStep({ text }: ShellStep): RunKind {
  return kinds.find(([, pattern]) => pattern.test(text))?.[0] ?? 'other';
}

function commandOf({ text, variables }: ShellStep): string {
  return [...variables, text].join(' ');
}

function subjectOf({ words }: ShellStep, kind: RunKind): string {
  if (kind === 'test' || kind === 'lint') return kind;
  const named = words.filter((word) => !word.startsWith('-')).slice(0, 3);
  return named.join(' ');
}

/** A failure whose exit code a pipe has swallowed. */
function saysFailed(output: string): boolean {
  return /^(?:error|fatal|failed|npm (?:ERR!|error)|E:|ERROR:|Traceback)\b|\b(?:command not found|FAILED|No such file|could not (?:find|resolve)|not found)\b/im.test(
    output,
  );
}

/** Red though the command ended well, as behind a pipe. */
function saysRed(output: string): boolean {
  return /^(?:#|ℹ) fail [1-9]|^not ok \d|\b[1-9]\d* (?:failed|failing)\b|^FAILED\b|^FAIL\b|^--- FAIL|^test result: FAILED|^Tests:.*\b[1-9]\d* failed/m.test(
    output,
  );
}
