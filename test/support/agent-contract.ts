import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { type ReplyTable, validateOutput } from '../../src/agents/dialect/reply-rules.ts';
import type { HookReply } from '../../src/model/hook-reply.ts';
import type { Json, JsonObject } from '../../src/model/json.ts';

/** Tests for every agent with hooks like Claude Code's. */

export interface AgentCase {
  agent: Agent;
  /** The folder with recorded payloads, named `<Event>…json`. */
  payloads: URL;
  /** The expected events of each payload, without the fields from `originOf`; empty if Cairn ignores the payload. */
  meanings: Record<string, object[]>;
  originOf: (wire: JsonObject) => object;
  replies: ReplyTable;
  registered: string[];
}

export function describeAgent({ agent, payloads, meanings, originOf, replies, registered }: AgentCase): void {
  const files = readdirSync(payloads).filter((name) => name.endsWith('.json'));

  test('every recorded payload is in the table', () => {
    expect(Object.keys(meanings).sort()).toEqual(files.sort());
  });

  test.each(Object.entries(meanings))('%s', (file, events) => {
    const wire = JSON.parse(readFileSync(new URL(file, payloads), 'utf8'));
    const [event = ''] = file.split('.');
    expect(agent.toEvents(event, wire)).toEqual(events.map((meaning) => ({ ...originOf(wire), ...meaning })));
  });

  test('every registered hook has reply rules, and its payloads are in the table', () => {
    for (const event of registered) {
      expect(replies.rules.has(event), event).toBe(true);
      const recorded = files.filter((file) => file.startsWith(`${event}.`));
      for (const file of recorded) expect(meanings[file], file).toBeDefined();
    }
  });

  test('any JSON under any name gives only events with a kind and a session, and never throws', () => {
    const names = [...replies.rules.keys()];
    const fields = fc.constantFrom(
      ...['session_id', 'cwd', 'hook_event_name', 'agent_id', 'tool_name', 'tool_use_id', 'tool_input'],
      ...['tool_response', 'prompt', 'submitted_prompt', 'error', 'source', 'reason', 'turn_id', 'trigger'],
      ...['prompt_response', 'last_assistant_message', 'mcp_context', 'stop_hook_active', 'model'],
    );
    const tools = fc.constantFrom(
      'apply_patch',
      'run_shell_command',
      'write_file',
      'replace',
      'Execute',
      'Edit',
    );
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...names), tools);
    const payload = fc.oneof(fc.jsonValue(), fc.dictionary(fields, value));
    fc.assert(
      fc.property(fc.oneof(fc.constantFrom(...names), fc.string()), payload, (name, wire) => {
        for (const event of agent.toEvents(name, wire as Json)) {
          expect(event.kind).toMatch(/^[a-z-]+$/);
          expect(event.sessionId.length).toBeGreaterThan(0);
          expect(event.sessionId.length).toBeLessThanOrEqual(200);
          expect(Object.values(event)).not.toContain(undefined);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  describe('replies', () => {
    const reply: fc.Arbitrary<HookReply> = fc.record(
      {
        context: fc.oneof(fc.string(), fc.string({ minLength: 20_000, maxLength: 30_000 })),
        notice: fc.string(),
        block: fc.record({ reason: fc.string() }),
      },
      { requiredKeys: [] },
    );

    test.each([...replies.rules.keys()])(
      'at %s are one valid line or nothing, with exit code 0 or 2',
      (event) => {
        fc.assert(
          fc.property(reply, (any) => {
            const { stdout, stderr, exitCode } = agent.print(event, any);
            expect([0, 2]).toContain(exitCode);
            if (exitCode === 0) expect(stderr).toBe('');
            if (stdout === '') return;
            expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
            expect(validateOutput(replies, event, JSON.parse(stdout))).toEqual([]);
          }),
          { numRuns: 30 },
        );
      },
    );

    test('at unknown events are empty', () => {
      expect(agent.print('Unknown', { context: 'c', notice: 'n', block: { reason: 'r' } }).stdout).toBe('');
    });
  });
}
