import type { FileTouch, ToolAction, ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';

/** Fields that any program may send. As with every agent, fields of another type are ignored. */

export function text(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A non-empty string. */
export function name(value: Json | undefined): string | undefined {
  return text(value) || undefined;
}

export function object(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}

export function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

const DEEDS: readonly ToolAction[] = [
  'change',
  'command',
  'read',
  'search',
  'delegate',
  'web',
  'meta',
  'other',
];
const OUTCOMES: readonly ToolOutcome[] = ['success', 'failure', 'refused'];

export function readAction(value: Json | undefined): ToolAction | undefined {
  return DEEDS.find((item) => item === value);
}

export function outcome(value: Json | undefined): ToolOutcome {
  return OUTCOMES.find((item) => item === value) ?? 'success';
}

/** A plain path counts as read. */
export function files(value: Json | undefined): FileTouch[] {
  return (Array.isArray(value) ? value : []).flatMap((item): FileTouch[] => {
    if (typeof item === 'string') return item === '' ? [] : [{ path: item, how: 'read' }];
    const path = isObject(item) ? name(item.path) : undefined;
    return path ? [{ path, how: isObject(item) && item.how === 'write' ? 'write' : 'read' }] : [];
  });
}
