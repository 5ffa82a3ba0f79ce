import type { TurnCall } from '../turn.ts';
import { splitShell } from './calls/shell.ts';

const readsContent =
  /^(?:cat|head|tail|grep|rg|ag|less|awk|sed|jq|git (?:grep|show|diff|blame|log -[pSG])|node|python3?|sqlite3|psql|curl)\b/;

/** Whether a call looks into something; a mere listing of names does not. */
export function isLookup({ does, command, outcome }: TurnCall): boolean {
  if (outcome === 'refused') return false;
  if (does === 'read' || does === 'search' || does === 'delegate' || does === 'web') return true;
  return does === 'command' && splitShell(command ?? '').some(({ text }) => readsContent.test(text));
}
