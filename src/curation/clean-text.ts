import { cleanPayload } from '../capture/clean.ts';
import { isWhollyPrivate } from '../capture/private.ts';
import type { CurationWorld } from './world.ts';

/** As captured text is cleaned: without private parts and secrets. Nothing is left of what is all private. */
export function cleanText({ settings }: Pick<CurationWorld, 'settings'>, text: string): string {
  if (isWhollyPrivate(text)) return '';
  const clean = cleanPayload(text, { maxText: settings['capture.maxText'] });
  return typeof clean === 'string' ? clean.trim() : '';
}
