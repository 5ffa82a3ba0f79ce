import type { AgentEvent, Priority, ToolCall } from '../model/agent-event.ts';

/** High for changes; low for reads and for tools about the agent itself. */
export function priorityOf(event: AgentEvent, metaTools: readonly string[]): Priority {
  if (!('call' in event)) return 'normal';
  if (metaTools.includes(event.call.name)) return 'low';
  return priorityOfCall(event.call);
}

function priorityOfCall(call: ToolCall): Priority {
  switch (call.does) {
    case 'change':
      return 'high';
    case 'read':
    case 'search':
    case 'meta':
      return 'low';
    case 'command':
      return priorityOfCommand(call.command ?? '');
    default:
      return 'normal';
  }
}

const LOOKS =
  /^(?:\[ |(?:ls|ll|dir|pwd|cat|bat|head|tail|less|more|wc|file|stat|du|df|tree|find|fd|grep|rg|ag|which|type|whoami|id|date|uname|env|printenv|echo|printf|true|ps|jq|sort|uniq|cut|column|diff|cmp|realpath|basename|dirname|cd|test|git (status|log|diff|show|branch|remote|blame|ls-files|rev-parse|describe|reflog|grep|stash list))\b)/;
const CHANGES =
  /^(rm|mv|cp|mkdir|rmdir|touch|ln|chmod|chown|install|patch|tee|truncate|dd|unzip|tar|rsync|kill|pkill|docker|kubectl|terraform|systemctl|psql|mysql|sqlite3|curl .*(-X|--request|-d|--data)|find .* -delete|sed (.* )?-i|perl (.* )?-p?i|git (add|commit|push|pull|merge|rebase|reset|checkout|switch|restore|stash(?! list)|tag|cherry-pick|revert|clean|rm|mv|init|clone|apply|am|worktree|branch -[dDmM])|(npm|pnpm|yarn|bun|pip|pip3|cargo|go|gem|apt|apt-get|brew|uv|poetry) (i|ci|install|add|remove|rm|uninstall|update|upgrade|get|publish|link|init|sync))\b/;
/** A redirection into a file, but not into /dev/null or another stream. */
const WRITES_FILE = /(^|[^0-9&<>=-])>{1,2}\s*(?!\/dev\/null|&)[^\s>&|;]/;

/** A command line has the highest priority of its commands. */
function priorityOfCommand(command: string): Priority {
  const parts = command
    .slice(0, 10_000)
    .split(/&&|\|\||[;|\n]/)
    .map((part) => part.trim().replace(/^(?:sudo\s+|time\s+|command\s+|[A-Z_][A-Z0-9_]*=\S*\s+)+/, ''))
    .filter(Boolean);
  if (WRITES_FILE.test(command) || parts.some((part) => CHANGES.test(part))) return 'high';
  return parts.length > 0 && parts.every((part) => LOOKS.test(part)) ? 'low' : 'normal';
}
