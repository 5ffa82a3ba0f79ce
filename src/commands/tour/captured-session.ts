import { readFileSync } from 'node:fs';
import { FAKE_SECRET, isSecretCall } from '../../capture/sample/recording.ts';
import { formatCount } from '../../context/words.ts';
import { isObject } from '../../model/json.ts';
import { shorten } from '../../model/shorten.ts';
import { listFilesBelow } from '../../platform/files.ts';
import type { Store } from '../../store/store.ts';
import type { StoredEvent, StoredPrompt } from '../../store/types/event.ts';
import type { SessionDigest } from '../../store/types/session.ts';
import type { Call } from '../support/command.ts';
import { wrap } from './layout.ts';

/** What was stored of the played session. */
export interface CapturedSession {
  session: SessionDigest;
  prompts: StoredPrompt[];
  events: StoredEvent[];
}

export function readCapturedSession(store: Store): CapturedSession | null {
  const [session] = store.listRecentSessions({ limit: 1 });
  return session ? { session, ...store.listSessionEvents(session.id) } : null;
}

export function showCapturedSession({ out, paint }: Call, captured: CapturedSession, project: string): void {
  const { session, prompts, events } = captured;
  const row = (name: string, text: string) => out(`  ${paint.dim(name.padEnd(14))} ${text}`);
  for (const { number, text } of prompts)
    row(number === 1 ? 'prompts' : '', `${number}. ${shorten(text, 76)}`);
  toolCounts(events).forEach((line, index) => {
    row(index === 0 ? 'calls' : '', line);
  });
  row('files changed', session.changedFiles.map((file) => file.replace(`${project}/`, '')).join(', '));
  if (session.closingWords) {
    out(paint.dim('  closing words'));
    out(wrap(session.closingWords.trim(), '    '));
  }
}

/** Counts stored calls: each is reported several times (before, after, in its batch) but stored once. */
function toolCounts(events: StoredEvent[]): string[] {
  const calls = events.filter(({ kind }) => kind === 'tool-end');
  return [...new Set(calls.map(({ tool }) => tool ?? ''))].map((tool) => {
    const ofTool = calls.filter((call) => call.tool === tool);
    const failed = ofTool.filter(({ outcome }) => outcome === 'failure').length;
    return `${String(ofTool.length).padStart(2)} × ${tool}${failed ? ` (${failed} failed)` : ''}`;
  });
}

/** Shows that a key in a command's output was not stored. */
export function showRedaction({ out, paint }: Call, { events }: CapturedSession, folder: string): boolean {
  const printed = events.find(({ callId, kind }) => kind === 'tool-end' && isSecretCall(callId));
  const response = isObject(printed?.response) ? printed.response.stdout : undefined;
  const kept = typeof response === 'string' ? (response.split('\n').at(-1) ?? '') : '';
  const files = listFilesBelow(folder);
  const leaks = files.filter((file) => readFileSync(file).includes(FAKE_SECRET));
  const marks = JSON.stringify(events).match(/\[redacted:[\w-]+\]/g) ?? [];
  out('  One call was added to the recording: a command that prints a fake key.');
  out(`  ${paint.dim('the agent saw')}  PAYMENT_KEY=${FAKE_SECRET}`);
  out(`  ${paint.dim('Cairn kept')}     ${kept}`);
  if (leaks.length === 0)
    out(
      paint.green(
        `  ${formatCount(marks.length, 'secret')} redacted; the key is in none of the ${formatCount(files.length, 'file')} of this home.`,
      ),
    );
  else out(paint.red(`  The key is still in ${leaks.join(', ')}`));
  return leaks.length === 0;
}
