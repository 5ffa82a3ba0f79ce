import type { Settings } from '../../config/settings.ts';

export type BudgetSettings = Pick<Settings, 'model.dailyCalls' | 'model.dailyTokens'>;

/** Whether one more question fits into today's budget; if not, until when to wait. */
export function checkBudget(
  used: { calls: number; tokens: number },
  settings: BudgetSettings,
  now: number,
): { ok: true } | { ok: false; why: string; until: number } {
  const { 'model.dailyCalls': calls, 'model.dailyTokens': tokens } = settings;
  const until = nextMidnight(now);
  if (used.calls >= calls)
    return { ok: false, why: `${calls} calls a day are spent (model.dailyCalls)`, until };
  if (used.tokens >= tokens)
    return { ok: false, why: `${tokens} tokens a day are spent (model.dailyTokens)`, until };
  return { ok: true };
}

/** When today began, by the clock on the wall; what was used since then counts. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

function nextMidnight(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}
