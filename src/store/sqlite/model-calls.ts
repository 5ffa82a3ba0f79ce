import type { Redacted } from '../../model/redacted.ts';
import type { ModelCall } from '../types/memory.ts';
import type { Database } from './open.ts';
import { requireRow } from './rows.ts';

/** Model calls, counted against the daily budget. */
export function createModelCallQueries(db: Database) {
  return {
    recordModelCall({ at, provider, model, turnId, tokensIn, tokensOut, error }: Redacted<ModelCall>): void {
      db.prepare(`
        INSERT INTO model_calls (at, provider, model, turn_id, tokens_in, tokens_out, error)
        VALUES (?, ?, ?, ?, ?, ?, ?)`).run(at, provider, model, turnId, tokensIn, tokensOut, error);
    },
    countModelCalls(at: number): { calls: number; tokens: number } {
      const row = db
        .prepare<{ calls: number; tokens: number }>(
          'SELECT count(*) AS calls, coalesce(sum(tokens_in + tokens_out), 0) AS tokens FROM model_calls WHERE at >= ?',
        )
        .get(at);
      return { ...requireRow(row) };
    },
  };
}
