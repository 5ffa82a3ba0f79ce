import { recorded } from '../bench/payloads.mjs';

/**
 * Hook events that can be distinguished in the database. `key` identifies the row: the call id, the text, or,
 * for events without either, the event's kind and a separate session.
 */
const SHAPES = [
  { weight: 30, from: 'PostToolUse.Bash', keyField: 'tool_use_id' },
  { weight: 8, from: 'PostToolUse.Edit', keyField: 'tool_use_id' },
  { weight: 6, from: 'PostToolUseFailure.Bash', keyField: 'tool_use_id' },
  { weight: 8, from: 'PreToolUse.Read', keyField: 'tool_use_id' },
  { weight: 3, from: 'PreToolUse.ExitPlanMode.with-plan', keyField: 'tool_use_id' },
  { weight: 15, from: 'UserPromptSubmit', keyField: 'prompt', answers: true },
  { weight: 8, from: 'Stop', keyField: 'last_assistant_message' },
  { weight: 2, from: 'StopFailure', keyField: 'last_assistant_message' },
  { weight: 3, from: 'SubagentStop', keyField: 'last_assistant_message' },
  { weight: 2, from: 'PostCompact.manual', keyField: 'compact_summary' },
  { weight: 6, from: 'SessionStart.startup', kind: 'session-start', answers: true },
  { weight: 5, from: 'PreCompact.manual', kind: 'compact-start', answers: true },
  { weight: 4, from: 'SessionEnd.other', kind: 'session-end' },
];
const TOTAL_WEIGHT = SHAPES.reduce((sum, { weight }) => sum + weight, 0);
const SESSIONS = 20;

export function createEvents(random, count, { label = 'event', cwd }) {
  return Array.from({ length: count }, (_, number) =>
    createEvent(pickShape(random), { name: `${label} ${number}`, number, label, cwd }),
  );
}

function createEvent({ from, keyField, kind, answers = false }, { name, number, label, cwd }) {
  const slug = label.replaceAll(/\W/g, '-');
  const session = keyField ? `attack-${slug}-${number % SESSIONS}` : `attack-${slug}-own-${number}`;
  const payload = { ...recorded(from), session_id: session, cwd, transcript_path: `${cwd}/none.jsonl` };
  if (keyField) payload[keyField] = name;
  const key = keyField ? name : `${kind} of ${session}`;
  return { event: payload.hook_event_name, payload, session, key, answers, find: keyField ? name : session };
}

function pickShape(random) {
  let left = random.below(TOTAL_WEIGHT);
  return SHAPES.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
}
