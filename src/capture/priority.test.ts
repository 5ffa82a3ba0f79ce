import { describe, expect, test } from 'vitest';
import type { AgentEvent, ToolCall } from '../model/agent-event.ts';
import { priorityOf } from './priority.ts';

describe('a shell command', () => {
  test.each([
    ['ls', 'low'],
    ['ls -la src', 'low'],
    ['pwd', 'low'],
    ['cat README.md', 'low'],
    ['cat a.txt | head -5', 'low'],
    ['cd src && ls', 'low'],
    ['grep -rn "rm -rf" src', 'low'],
    ['rg TODO', 'low'],
    ['find . -name "*.ts"', 'low'],
    ['[ -f a ] && cat a', 'low'],
    ['git status', 'low'],
    ['git log --oneline -5', 'low'],
    ['git diff HEAD~1', 'low'],
    ['git stash list', 'low'],
    ['git branch', 'low'],
    ['echo done', 'low'],
    ['ls 2>/dev/null', 'low'],
    ['cat x >/dev/null', 'low'],
    ['ls 2>&1 | wc -l', 'low'],
    ['sudo cat /etc/hosts', 'low'],
    ['NO_COLOR=1 git status', 'low'],
    ['wc -l < file.txt', 'low'],
    ['npm test', 'normal'],
    ['node -e "1 => 2"', 'normal'],
    ['make', 'normal'],
    ['cargo build', 'normal'],
    ['python script.py', 'normal'],
    ['ls && npm test', 'normal'],
    ['curl https://example.org', 'normal'],
    ['lsof -i', 'normal'],
    ['', 'normal'],
    ['rm -rf build', 'high'],
    ['ls; rm a', 'high'],
    ['sudo rm a', 'high'],
    ['FOO=bar rm a', 'high'],
    ['mkdir -p a/b', 'high'],
    ['mv a b', 'high'],
    ['find . -name "*.o" -delete', 'high'],
    ['echo hello > file.txt', 'high'],
    ['echo hello>>file.txt', 'high'],
    ['cat <<EOF > a.ts\nhello\nEOF', 'high'],
    ['printf x | tee a', 'high'],
    ["sed -i 's/a/b/' x", 'high'],
    ["sed -n -i 's/a/b/' x", 'high'],
    ['git commit -m "x"', 'high'],
    ['git branch -D old', 'high'],
    ['git stash', 'high'],
    ['git stash pop', 'high'],
    ['git push', 'high'],
    ['npm install left-pad', 'high'],
    ['npm ci', 'high'],
    ['pip install requests', 'high'],
    ['curl -X POST https://example.org', 'high'],
    ['docker compose up -d', 'high'],
    ['kill 123', 'high'],
    ['ls\nrm a', 'high'],
  ])('%s is %s', (command, priority) => {
    expect(priorityOf(ended({ does: 'command', name: 'Bash', command }), [])).toBe(priority);
  });

  test('a very long command is rated by its beginning', () => {
    const command = `${'ls | '.repeat(100_000)}rm a`;
    expect(priorityOf(ended({ does: 'command', name: 'Bash', command }), [])).toBe('low');
  });
});

describe('other events', () => {
  test.each<[string, AgentEvent, string]>([
    ['a change', ended({ does: 'change', name: 'Edit' }), 'high'],
    ['a read', ended({ does: 'read', name: 'Read' }), 'low'],
    ['a search', ended({ does: 'search', name: 'Grep' }), 'low'],
    ['a tool about the agent itself', ended({ does: 'meta', name: 'TaskCreate' }), 'low'],
    ['a tool on the list', ended({ does: 'other', name: 'Skill' }), 'low'],
    ['a subagent', ended({ does: 'delegate', name: 'Agent' }), 'normal'],
    ['a web fetch', ended({ does: 'web', name: 'WebFetch' }), 'normal'],
    ['an unknown tool', ended({ does: 'other', name: 'mcp__x__y' }), 'normal'],
    ['a command without its text', ended({ does: 'command', name: 'Bash' }), 'normal'],
    ['a prompt', { kind: 'prompt', sessionId: 's', text: 'rm', origin: 'person' }, 'normal'],
    ['a turn end', { kind: 'turn-end', sessionId: 's', text: '', continued: false }, 'normal'],
  ])('%s has its priority', (_name, event, priority) => {
    expect(priorityOf(event, ['Skill'])).toBe(priority);
  });
});

function ended(call: Pick<ToolCall, 'does' | 'name' | 'command'>): AgentEvent {
  return {
    kind: 'tool-end',
    sessionId: 's',
    call: { input: {}, files: [], ...call },
    outcome: 'success',
    response: null,
    reportedBy: 'call',
  };
}
