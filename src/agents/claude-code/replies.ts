import { FRAME_CLOSING, FRAME_OPENING } from '../../model/framed.ts';
import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { findReplyRules, LONGEST_CONTEXT, type ReplyRules, validateOutput } from './reply-rules.ts';
import { clip, text } from './wire.ts';

/** What a reply says, with empty words taken for none. */
interface Said {
  context: string | undefined;
  notice: string | undefined;
  /** The reason. */
  block: string | undefined;
  permission: HookReply['permission'];
  output: Json | undefined;
}

type Part = keyof Said;

export function printReply(eventName: string, reply: HookReply): PrintedReply {
  const said = read(reply);
  const takes = findReplyRules(eventName);
  if (said.block !== undefined && takes.block === 'exit-2') {
    return {
      stdout: '',
      stderr: `${said.block}\n`,
      exitCode: 2,
      leftOut: unsaid(said, ['context', 'notice', 'permission', 'output'], `beside a block of ${eventName}`),
    };
  }
  if (said.context !== undefined && said.block === undefined && takes.context === 'stdout') {
    const leftOut = unsaid(said, ['notice', 'permission', 'output'], `beside the context of ${eventName}`);
    return { stdout: plainText(said.context, leftOut), stderr: '', exitCode: 0, leftOut };
  }
  return printJson(eventName, said, takes);
}

/** Events where exit 2 with stderr tells the model something and swallows nothing. */
export function isBlockFeedback(eventName: string): boolean {
  return eventName === 'PostToolUse' || eventName === 'PostToolUseFailure';
}

function read(reply: HookReply): Said {
  return {
    context: text(reply.context),
    notice: text(reply.notice),
    block: reply.block ? (text(reply.block.reason) ?? 'Blocked by a hook.') : undefined,
    permission: reply.permission ?? undefined,
    output: reply.output,
  };
}

function unsaid(said: Said, parts: Part[], where: string): string[] {
  return parts.filter((part) => said[part] !== undefined).map((part) => `${part}: has no place ${where}`);
}

function printJson(eventName: string, said: Said, takes: ReplyRules): PrintedReply {
  const leftOut: string[] = [];
  const notice = noticeToShow(said, takes);
  const specific: JsonObject = {
    ...blockOrPermission(said, takes, leftOut),
    ...(said.context !== undefined &&
      takes.context === 'field' && { additionalContext: withinLimit(said.context, leftOut) }),
    ...toolOutput(said, takes, leftOut),
  };
  const output: JsonObject = {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(said.block !== undefined && takes.block === 'decision' && { decision: 'block', reason: said.block }),
    ...(said.block !== undefined && takes.block === 'decline' && { reason: said.block }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: eventName, ...specific },
    }),
  };
  leftOut.push(...unsaid(said, partsWithoutPlace(said, takes), `on ${eventName}`));
  return asOneLine(eventName, output, leftOut);
}

/** Where nothing can be stopped but the person can be told, a block is told; a notice of its own goes first. */
function noticeToShow(said: Said, takes: ReplyRules): string | undefined {
  if (!takes.notice) return undefined;
  return said.notice ?? (takes.block === 'notice' ? said.block : undefined);
}

function partsWithoutPlace(said: Said, takes: ReplyRules): Part[] {
  const parts: Part[] = [];
  if (takes.context !== 'field') parts.push('context');
  if (!takes.notice) parts.push('notice');
  if (takes.block === 'no' || (takes.block === 'notice' && said.notice !== undefined)) parts.push('block');
  if (takes.permission === 'no') parts.push('permission');
  if (!takes.output) parts.push('output');
  return parts;
}

/** A block is the stronger word: a permission beside it is dropped. */
function blockOrPermission(said: Said, takes: ReplyRules, leftOut: string[]): JsonObject {
  if (said.block !== undefined) {
    if (said.permission !== undefined && takes.permission !== 'no') {
      leftOut.push('permission: the block beside it decides');
    }
    return blockFields(said.block, takes);
  }
  if (said.permission === undefined) return {};
  return permissionFields(said.permission, takes, leftOut);
}

function blockFields(reason: string, takes: ReplyRules): JsonObject {
  switch (takes.block) {
    case 'deny':
      return { permissionDecision: 'deny', permissionDecisionReason: reason };
    case 'refuse':
      return { decision: { behavior: 'deny', message: reason } };
    case 'decline':
      return { action: 'decline' };
    default:
      return {};
  }
}

type Permission = NonNullable<HookReply['permission']>;

function permissionFields(permission: Permission, takes: ReplyRules, leftOut: string[]): JsonObject {
  if (takes.permission === 'no') return {};
  const { decision, updatedInput } = permission;
  const takesInput = takes.permission !== 'model-switch' && decision !== 'deny';
  const newInput = takesInput && isObject(updatedInput) ? { updatedInput } : {};
  if (updatedInput !== undefined && !('updatedInput' in newInput)) {
    // To allow it all the same would allow the very input that was to be replaced.
    if (decision === 'allow') {
      leftOut.push('permission: its updated input cannot be used, so nothing is allowed');
      return {};
    }
    leftOut.push('updatedInput: is no object, or its decision takes none');
  }
  const reason = text(permission.reason);
  if (takes.permission === 'request') return requestDecision(decision, reason, newInput, leftOut);
  return {
    permissionDecision: decision,
    ...(reason !== undefined && { permissionDecisionReason: reason }),
    ...newInput,
  };
}

function requestDecision(
  decision: Permission['decision'],
  reason: string | undefined,
  newInput: JsonObject,
  leftOut: string[],
): JsonObject {
  if (decision === 'ask') {
    leftOut.push('permission: the person is being asked already');
    return {};
  }
  if (decision === 'deny') {
    return { decision: { behavior: 'deny', ...(reason !== undefined && { message: reason }) } };
  }
  if (reason !== undefined) leftOut.push('permission reason: a request that is allowed takes none');
  return { decision: { behavior: 'allow', ...newInput } };
}

/** Built-in tools answer with objects, MCP tools with a list of blocks; the client refuses any other shape. */
function toolOutput(said: Said, takes: ReplyRules, leftOut: string[]): JsonObject {
  if (said.output === undefined || !takes.output) return {};
  if (isObject(said.output) || Array.isArray(said.output)) return { updatedToolOutput: said.output };
  leftOut.push('output: no tool answers with a bare value');
  return {};
}

function withinLimit(context: string, leftOut: string[], limit = LONGEST_CONTEXT): string {
  if (context.length <= limit) return context;
  const remark = `\n(Cut here: ${context.length} characters are more than the agent takes.)`;
  const lastLine = context.includes(FRAME_OPENING) ? `${remark}\n${FRAME_CLOSING}` : remark;
  const room = limit - lastLine.length;
  const cut = clip(context, room);
  const lineEnd = cut.lastIndexOf('\n');
  leftOut.push(`context: cut from ${context.length} characters to fit ${limit}`);
  // One endless line is cut inside: whole lines only would leave next to nothing of it.
  const kept = lineEnd > room / 2 ? cut.slice(0, lineEnd) : cut;
  // A frame that is open at the cut ends with it.
  const isOpen = kept.lastIndexOf(FRAME_OPENING) > kept.lastIndexOf(FRAME_CLOSING);
  return kept + (isOpen ? lastLine : remark);
}

/** The client reads stdout that opens with a brace as JSON; a line before it keeps it text. */
function plainText(context: string, leftOut: string[]): string {
  const opening = context.trimStart().startsWith('{') ? 'Note:\n' : '';
  return opening + withinLimit(context, leftOut, LONGEST_CONTEXT - opening.length);
}

function asOneLine(eventName: string, output: JsonObject, leftOut: string[]): PrintedReply {
  const silence: PrintedReply = { stdout: '', stderr: '', exitCode: 0, leftOut };
  if (Object.keys(output).length === 0) return silence;
  const problems = validateOutput(eventName, output);
  if (problems.length > 0) return { ...silence, leftOut: [...leftOut, `everything: ${problems.join('; ')}`] };
  try {
    return { ...silence, stdout: `${JSON.stringify(output)}\n` };
  } catch {
    // Hooks of other authors can hand in what only looks like JSON: a cycle, a bigint.
    return { ...silence, leftOut: [...leftOut, 'everything: the reply cannot be written as JSON'] };
  }
}
