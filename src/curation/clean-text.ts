import { isWhollyPrivate } from '../capture/private.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import type { Redacted } from '../model/redacted.ts';
import type { CurationOptions } from './options.ts';

/** Removes private parts and secrets, as from captured text. Empty if everything is private. */
export function cleanText({ settings }: Pick<CurationOptions, 'settings'>, text: string): Redacted {
  if (isWhollyPrivate(text)) return redactValue<string>('');
  const clean = redactValue(text.trim(), { maxText: settings['capture.maxText'] });
  // Only if context was cut off at an end: a second search costs as much as the first.
  return clean === clean.trim() ? clean : redactValue(clean.trim());
}
