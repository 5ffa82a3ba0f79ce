import type { Turn, TurnCall } from '../../src/distill/turn.ts';
import { turnsOf } from './consistency.ts';
import type { DistillSession, PlayedCall, Step } from './session.ts';

const PROJECT = '/project';

/** The turns of a session as its script has them: nothing is run, so a command prints what the script says it shows. */
export function readScriptTurns(session: DistillSession): Turn[] {
  const script = session.script(PROJECT);
  const reports = Object.values(script.subagents ?? {}).map((steps) => closingWords(steps.flat()));
  const prompts = session.prompts.filter((prompt) => !prompt.startsWith('/'));
  const turns = turnsOf({ ...script, subagents: {} });
  return turns.map((steps, index) => ({
    folder: PROJECT,
    prompt: prompts[index] ?? '',
    promptOrigin: 'person',
    earlierPrompts: prompts.slice(0, index),
    earlierWords: closingWords(turns[index - 1] ?? []),
    calls: steps.flatMap((step) => ('tool' in step ? [step] : [])).map(toCall),
    said: saidBetween(steps),
    changedFiles: [],
    reports: index === 0 ? reports : [],
    closingWords: closingWords(steps),
    closedBy: 'turn-end',
  }));
}

function closingWords(steps: Step[]): string {
  const last = steps.at(-1);
  return last && 'text' in last ? last.text : '';
}

function saidBetween(steps: Step[]): Turn['said'] {
  let place = 0;
  return steps.flatMap((step, index) => {
    if ('tool' in step) place++;
    return 'text' in step && index < steps.length - 1 ? [{ text: step.text, place }] : [];
  });
}

function toCall({ tool, input, goes, shows = '' }: PlayedCall, index: number): TurnCall {
  const outcome = goes === 'well' ? 'success' : 'failure';
  const base = { event: index + 1, tool, outcome, priority: 'normal', input } as const;
  if (tool === 'Bash')
    return {
      ...base,
      does: 'command',
      command: String(input.command),
      response: outcome === 'success' ? { stdout: shows } : `Exit code 1\n${shows}`,
      files: [],
    };
  const path = String(input.file_path ?? '');
  const isRead = tool === 'Read';
  if (!isRead && path === '') return { ...base, does: 'delegate', response: null, files: [] };
  return {
    ...base,
    does: isRead ? 'read' : 'change',
    response: { type: tool === 'Write' ? 'create' : 'update' },
    files: [{ path, how: isRead ? 'read' : 'write' }],
  };
}
