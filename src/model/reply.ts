import type { HookReply } from './hook-reply.ts';
import type { Json } from './json.ts';

type Permission = NonNullable<HookReply['permission']>;

export const nothing: HookReply<never> = Object.freeze({});

export function context<Text extends string>(text: Text): HookReply<Text> {
  return { context: text };
}

export function notice(text: string): HookReply<never> {
  return { notice: text };
}

/** Blocks the action that is about to happen, or objects to the one that just happened, as the event allows. */
export function block(reason: string, context?: string): HookReply {
  return context === undefined ? { block: { reason } } : { block: { reason }, context };
}

export function permission(
  decision: Permission['decision'],
  { reason, updatedInput }: Omit<Permission, 'decision'> = {},
): HookReply {
  return {
    permission: {
      decision,
      ...(reason === undefined ? {} : { reason }),
      ...(updatedInput === undefined ? {} : { updatedInput }),
    },
  };
}

/** Replaces the tool's output. */
export function output(value: Json): HookReply {
  return { output: value };
}

/**
 * Merges replies and ignores undefined ones. Texts are joined by a blank line; the strictest permission and the last
 * output win.
 */
export function all<Text extends string>(...replies: (HookReply<Text> | undefined)[]): HookReply<Text> {
  const present = replies.filter((reply) => reply !== undefined);
  const joined: HookReply<Text> = {};
  for (const { context, notice, block, permission, output } of present) {
    // The texts are framed, and so is their concatenation.
    if (context) joined.context = joinTexts(joined.context, context) as Text;
    if (notice) joined.notice = joinNotices(joined.notice, notice);
    if (block) joined.block = { reason: joinTexts(joined.block?.reason, block.reason) };
    if (permission) joined.permission = pickStricter(joined.permission ?? permission, permission);
    if (output !== undefined) joined.output = output;
  }
  return joined;
}

/** Joins two notices, either of which may be missing. */
export function joinNotices(first: string | undefined, second: string | undefined): string {
  return joinTexts(first, second);
}

function joinTexts(first = '', second = ''): string {
  return [first, second].filter((text) => text !== '').join('\n\n');
}

function pickStricter(first: Permission, second: Permission): Permission {
  const strictness = ['allow', 'ask', 'deny'];
  return strictness.indexOf(second.decision) > strictness.indexOf(first.decision) ? second : first;
}
