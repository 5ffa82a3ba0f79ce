/**
 * Context window per model, from the client's own list (2.1.325). Unknown models have none: a guess would warn at the
 * wrong moment.
 */
const WINDOWS: [models: RegExp, tokens: number][] = [
  [/\[1m\]$/, 1_000_000],
  [/^claude-(?:fable|mythos|opus|sonnet|haiku)-[5-9](?:-|$)/, 1_000_000],
  [/^claude-opus-4-[78](?:-|$)/, 1_000_000],
  [/^claude-(?:opus|sonnet|haiku)-4(?:-[0-6])?(?:-\d{8})?$/, 200_000],
  [/^claude-3(?:-|$)/, 200_000],
];

export function windowSizeOf(model: string): number | null {
  return WINDOWS.find(([models]) => models.test(model))?.[1] ?? null;
}
