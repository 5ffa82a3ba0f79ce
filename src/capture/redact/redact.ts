import { findAssignments } from './assignments.ts';
import { findCommandSecrets } from './commands.ts';
import { hideSequences, isBehindSequence, showSequences } from './controls.ts';
import { applyEdits, type Finder } from './edits.ts';
import { findInserts } from './inserts.ts';
import { findAddresses, findCredentials } from './places.ts';
import { findPrivateKeys } from './private-keys.ts';
import { scanText } from './scan.ts';
import { findColumns, findManifestData } from './tables.ts';
import { findTokens } from './tokens.ts';

/**
 * Secrets recognised by form come before those recognised by context: the mark then names the most specific kind.
 */
const FINDERS: Finder[] = [
  findPrivateKeys,
  findTokens,
  findAddresses,
  findCommandSecrets,
  findCredentials,
  findColumns,
  findManifestData,
  findInserts,
  findAssignments,
];

/** A text without anchors can only contain a token in a long run. */
const WITHOUT_ANCHORS: Finder[] = [findTokens];

const MOST_ROUNDS = 4;

/**
 * The text with its secrets replaced by `[redacted:<kind>]`. One secret can hide another from a rule, so a text that
 * contained one is searched again.
 */
export function redactText(text: string): string {
  const shown = hideSequences(text);
  let clean = shown?.text ?? text;
  const isSeam =
    shown === undefined ? undefined : (index: number) => isBehindSequence(shown.sequences(), index);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = clean;
    let anchors = scanText(clean);
    for (const find of anchors.seen === 0 ? WITHOUT_ANCHORS : FINDERS) {
      const edits = find(clean, anchors, isSeam);
      if (edits.length === 0) continue;
      clean = applyEdits(clean, edits);
      shown?.move(edits);
      anchors = scanText(clean);
    }
    if (clean === before) break;
  }
  if (shown === undefined) return clean;
  const hadSecrets = shown.redactBodies(redactText);
  return clean === shown.text && !hadSecrets ? text : showSequences(clean, shown.sequences());
}
