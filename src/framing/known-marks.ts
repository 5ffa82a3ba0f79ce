import type { ControlMarks } from '../agents/agent.ts';
import { agents } from '../agents/all.ts';

/** Frames of Cairn, of the person and of claude-mem. src/capture/private.ts removes them from captured text. */
const OWN: ControlMarks = { tags: ['cairn-*', 'private', 'claude-mem-context'], speakers: [], phrases: [] };

/** Marks that models were trained on, for every agent. Tokens such as `<|im_start|>` are recognised by their form. */
const OF_MODELS: ControlMarks = {
  tags: [
    ...['function_calls', 'function_results', 'functions', 'invoke', 'antml*', 'tool_call', 'tool_response'],
    ...['start_of_turn', 'end_of_turn', 'system_instruction', 'system_prompt'],
  ],
  speakers: ['Human', 'Assistant'],
  phrases: ['[INST]', '[/INST]', '<<SYS>>', '<</SYS>>'],
};

/** The marks of every agent, because any agent may read a folder note, an MCP answer or a handoff. */
const all = [OWN, OF_MODELS, ...agents.map(({ controlMarks }) => controlMarks)];

export const KNOWN_MARKS: ControlMarks = {
  tags: [...new Set(all.flatMap(({ tags }) => tags))],
  speakers: [...new Set(all.flatMap(({ speakers }) => speakers))],
  phrases: [...new Set(all.flatMap(({ phrases }) => phrases))],
};
