import { join } from 'node:path';
import { recorded } from '../../bench/payloads.mjs';

/** The events of a short session in this folder that edits src/a.txt; keys are those of events.mjs. */
export function sessionEvents(name, folder, transcript = join(folder, 'none.jsonl')) {
  const session = `attack-${name.replaceAll(/\W+/g, '-')}`.slice(0, 40);
  const file = join(folder, 'src/a.txt');
  const edit = recorded('PostToolUse.Edit');
  const make = (from, key, change) => {
    const payload = {
      ...recorded(from),
      session_id: session,
      cwd: folder,
      transcript_path: transcript,
      ...change,
    };
    return { event: payload.hook_event_name, payload, session, key };
  };
  const text = (what) => `${what} in ${name}`;
  return [
    make('SessionStart.startup', `session-start of ${session}`),
    make('UserPromptSubmit', text('prompt'), { prompt: text('prompt') }),
    make('PreToolUse.Read', text('read'), { tool_use_id: text('read'), tool_input: { file_path: file } }),
    make('PostToolUse.Edit', text('edit'), {
      tool_use_id: text('edit'),
      tool_input: { ...edit.tool_input, file_path: file },
      tool_response: { ...edit.tool_response, filePath: file },
    }),
    make('PostToolUse.Bash', text('commit'), {
      tool_use_id: text('commit'),
      tool_input: { command: 'git commit -am done', description: 'Commit' },
    }),
    make('PreCompact.manual', `compact-start of ${session}`),
    make('Stop', text('stop'), { last_assistant_message: text('stop') }),
    make('UserPromptSubmit', text('second prompt'), { prompt: text('second prompt') }),
    make('SessionEnd.other', `session-end of ${session}`),
  ];
}
