import { createLog, type Log, type LogOptions } from '../platform/log.ts';
import { redactValue } from './redact/redact-value.ts';

/** The log of a Cairn process. A cause may quote what an agent or a server sent, so every text in it is redacted. */
export function openLog(options: Omit<LogOptions, 'redact'>): Log {
  return createLog({ ...options, redact: redactValue });
}
