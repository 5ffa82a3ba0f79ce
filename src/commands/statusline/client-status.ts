import { isObject, type Json, parseJson } from '../../model/json.ts';

/** The fields of Claude Code's status line input that Cairn reads. Any may be missing. */
export interface ClientStatus {
  session?: string;
  folder?: string;
  model?: string;
  modelId?: string;
  window?: ContextWindow;
}

export interface ContextWindow {
  size: number;
  /** Null before the first response. */
  used: number | null;
}

export function readClientStatus(input: Buffer): ClientStatus {
  const status = objectIn(parseJson(input.toString('utf8')));
  const model = objectIn(status.model);
  const window = windowIn(objectIn(status.context_window));
  return {
    ...text('session', status.session_id),
    ...text('folder', objectIn(status.workspace).project_dir, status.cwd),
    ...text('model', model.display_name, model.id, status.model),
    ...text('modelId', model.id),
    ...(window && { window }),
  };
}

/** A whole percentage; undefined if unknown. */
export function computePercentLeft({ size, used }: ContextWindow): number | undefined {
  return used === null ? undefined : Math.max(0, Math.min(100, Math.round(100 - (100 * used) / size)));
}

function windowIn(window: { [key: string]: Json }): ContextWindow | undefined {
  const size = window.context_window_size;
  if (typeof size !== 'number' || !(size > 0)) return undefined;
  const usage = window.current_usage;
  if (!isObject(usage)) return { size, used: null };
  const parts = [usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens];
  return { size, used: parts.reduce<number>((sum, part) => sum + (typeof part === 'number' ? part : 0), 0) };
}

function objectIn(value: Json | undefined): { [key: string]: Json } {
  return isObject(value) ? value : {};
}

function text<K extends string>(key: K, ...values: (Json | undefined)[]): { [P in K]?: string } {
  const value = values.find((candidate) => typeof candidate === 'string' && candidate !== '');
  return value === undefined ? {} : ({ [key]: value } as { [P in K]: string });
}
