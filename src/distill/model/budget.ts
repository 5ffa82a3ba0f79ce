import type { Settings } from '../../config/settings.ts';

export type BudgetSettings = Pick<Settings, 'model.dailyCalls' | 'model.dailyTokens'>;

/** Whether another call fits into today's budget; if not, when to retry. */
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

/** Midnight in local time; calls since then count. */
export function startOfDay(now: number): number {
  return new Date(now).setHours(0, 0, 0, 0);
}

function nextMidnight(now: number): number {
  return new Date(now).setHours(24, 0, 0, 0);
}
