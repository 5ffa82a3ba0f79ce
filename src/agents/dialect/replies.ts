import { FRAME_CLOSING, FRAME_OPENING } from '../../model/framed.ts';
import type { HookReply, PrintedReply } from '../../model/hook-reply.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { nothing, type ReplyRules, type ReplyTable, validateOutput } from './reply-rules.ts';
import { clip, text } from './wire.ts';

/** The parts of a reply; an empty text counts as missing. */
interface ReplyParts {
  context: string | undefined;
  notice: string | undefined;
  /** The reason. */
  block: string | undefined;
  permission: HookReply['permission'];
  output: Json | undefined;
}

type Part = keyof ReplyParts;

/** A reply as one line of JSON, with `additionalContext` and `systemMessage` where the event accepts them. */
export function printReply(table: ReplyTable, eventName: string, reply: HookReply): PrintedReply {
  const parts = readParts(reply);
  const rules = table.rules.get(eventName) ?? nothing;
  if (parts.block !== undefined && rules.block === 'exit-2') {
    return {
      stdout: '',
      stderr: `${parts.block}\n`,
      exitCode: 2,
      leftOut: listLeftOut(
        parts,
        ['context', 'notice', 'permission', 'output'],
        `together with a block of ${eventName}`,
      ),
    };
  }
  if (parts.context !== undefined && parts.block === undefined && rules.context === 'stdout') {
    const leftOut = listLeftOut(
      parts,
      ['notice', 'permission', 'output'],
      `together with the context of ${eventName}`,
    );
    return {
      stdout: plainText(parts.context, leftOut, table.longestContext),
      stderr: '',
      exitCode: 0,
      leftOut,
    };
  }
  return printJson(table, eventName, parts, rules);
}

function readParts(reply: HookReply): ReplyParts {
  return {
    context: text(reply.context),
    notice: text(reply.notice),
    block: reply.block ? text(reply.block.reason)?.trim() || 'Blocked by a hook.' : undefined,
    permission: reply.permission ?? undefined,
    output: reply.output,
  };
}

function listLeftOut(parts: ReplyParts, names: Part[], where: string): string[] {
  return names.filter((name) => parts[name] !== undefined).map((name) => `${name}: not supported ${where}`);
}

function printJson(table: ReplyTable, eventName: string, parts: ReplyParts, rules: ReplyRules): PrintedReply {
  const leftOut: string[] = [];
  const notice = selectNotice(parts, rules);
  const specific: JsonObject = {
    ...blockOrPermission(parts, rules, leftOut),
    ...(parts.context !== undefined &&
      rules.context === 'field' && {
        additionalContext: cutToLimit(parts.context, leftOut, table.longestContext),
      }),
    ...toolOutput(parts, rules, leftOut),
  };
  const output: JsonObject = {
    ...(notice !== undefined && { systemMessage: notice }),
    ...(parts.block !== undefined &&
      rules.block === 'decision' && { decision: 'block', reason: parts.block }),
    ...(parts.block !== undefined && rules.block === 'decline' && { reason: parts.block }),
    ...(Object.keys(specific).length > 0 && {
      hookSpecificOutput: { hookEventName: eventName, ...specific },
    }),
  };
  leftOut.push(...listLeftOut(parts, findUnsupportedParts(parts, rules), `on ${eventName}`));
  return printOneLine(table, eventName, output, leftOut);
}

/** At events that cannot be blocked, the reason of a block is shown as a notice, unless the reply has one. */
function selectNotice(parts: ReplyParts, rules: ReplyRules): string | undefined {
  if (!rules.notice) return undefined;
  return parts.notice ?? (rules.block === 'notice' ? parts.block : undefined);
}

function findUnsupportedParts(parts: ReplyParts, rules: ReplyRules): Part[] {
  const unsupported: Part[] = [];
  if (rules.context !== 'field') unsupported.push('context');
  if (!rules.notice) unsupported.push('notice');
  if (rules.block === 'no' || (rules.block === 'notice' && parts.notice !== undefined))
    unsupported.push('block');
  if (rules.permission === 'no') unsupported.push('permission');
  if (!rules.output) unsupported.push('output');
  return unsupported;
}

/** A block overrides a permission. */
function blockOrPermission(parts: ReplyParts, rules: ReplyRules, leftOut: string[]): JsonObject {
  if (parts.block !== undefined) {
    if (parts.permission !== undefined && rules.permission !== 'no') {
      leftOut.push('permission: the block overrides it');
    }
    return blockFields(parts.block, rules);
  }
  if (parts.permission === undefined) return {};
  return permissionFields(parts.permission, rules, leftOut);
}

function blockFields(reason: string, rules: ReplyRules): JsonObject {
  switch (rules.block) {
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

function permissionFields(permission: Permission, rules: ReplyRules, leftOut: string[]): JsonObject {
  if (rules.permission === 'no') return {};
  const { decision, updatedInput } = permission;
  const acceptsInput = rules.permission !== 'model-switch' && decision !== 'deny';
  const newInput = acceptsInput && isObject(updatedInput) ? { updatedInput } : {};
  if (updatedInput !== undefined && !('updatedInput' in newInput)) {
    // Allowing the call would allow the original input, which should have been replaced.
    if (decision === 'allow') {
      leftOut.push('permission: its updated input cannot be used, so nothing is allowed');
      return {};
    }
    leftOut.push('updatedInput: is not an object, or not supported with this decision');
  }
  const reason = text(permission.reason);
  if (rules.permission === 'request') return requestDecision(decision, reason, newInput, leftOut);
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
  if (reason !== undefined) leftOut.push('permission reason: not supported when a request is allowed');
  return { decision: { behavior: 'allow', ...newInput } };
}

/** Built-in tools return objects, MCP tools a list of blocks; the client rejects any other shape. */
function toolOutput(parts: ReplyParts, rules: ReplyRules, leftOut: string[]): JsonObject {
  if (parts.output === undefined || !rules.output) return {};
  if (isObject(parts.output) || Array.isArray(parts.output)) return { updatedToolOutput: parts.output };
  leftOut.push('output: must be an object or a list');
  return {};
}

/** Cuts context to a limit; also used for agents whose replies have another form. */
export function cutToLimit(context: string, leftOut: string[], limit: number): string {
  if (context.length <= limit) return context;
  const remark = `\n(Cut here: ${context.length} characters are more than the agent reads.)`;
  const lastLine = context.includes(FRAME_OPENING) ? `${remark}\n${FRAME_CLOSING}` : remark;
  const room = limit - lastLine.length;
  const cut = clip(context, room);
  const lineEnd = cut.lastIndexOf('\n');
  leftOut.push(`context: cut from ${context.length} characters to fit ${limit}`);
  // A very long line is cut inside; keeping only whole lines would leave almost nothing of it.
  const kept = lineEnd > room / 2 ? cut.slice(0, lineEnd) : cut;
  // Closes a frame that is open at the cut.
  const isOpen = kept.lastIndexOf(FRAME_OPENING) > kept.lastIndexOf(FRAME_CLOSING);
  return kept + (isOpen ? lastLine : remark);
}

/** The client parses stdout that starts with a brace as JSON; a line before the brace prevents that. */
function plainText(context: string, leftOut: string[], longest: number): string {
  const opening = context.trimStart().startsWith('{') ? 'Note:\n' : '';
  return opening + cutToLimit(context, leftOut, longest - opening.length);
}

function printOneLine(
  table: ReplyTable,
  eventName: string,
  output: JsonObject,
  leftOut: string[],
): PrintedReply {
  const silence: PrintedReply = { stdout: '', stderr: '', exitCode: 0, leftOut };
  if (Object.keys(output).length === 0) return silence;
  const problems = validateOutput(table, eventName, output);
  if (problems.length > 0) return { ...silence, leftOut: [...leftOut, `everything: ${problems.join('; ')}`] };
  try {
    return { ...silence, stdout: `${JSON.stringify(output)}\n` };
  } catch {
    // Hooks of other authors may return values that JSON cannot represent: a cycle, a bigint.
    return { ...silence, leftOut: [...leftOut, 'everything: the reply cannot be written as JSON'] };
  }
}
