import { findAssignments } from './assignments.ts';
import { findCommandSecrets } from './commands.ts';
import { hideSequences, isBehindSequence, moveSequences, showSequences } from './controls.ts';
import { applyEdits, type Finder } from './edits.ts';
import { findAddresses, findCredentials } from './places.ts';
import { findPrivateKeys } from './private-keys.ts';
import { findColumns, findManifestData } from './tables.ts';
import { findTokens } from './tokens.ts';

/** What is a secret by its own form goes first, so that its mark names it best; then what the context tells. */
const FINDERS: Finder[] = [
  findPrivateKeys,
  findTokens,
  findAddresses,
  findCommandSecrets,
  findCredentials,
  findColumns,
  findManifestData,
  findAssignments,
];

const MOST_ROUNDS = 4;

/**
 * The text with its secrets replaced by `[redacted:<kind>]`. One secret can hide another from a rule, so a
 * text that held one is searched again.
 */
export function redactText(text: string): string {
  const shown = hideSequences(text);
  let clean = shown?.text ?? text;
  let sequences = shown?.sequences ?? [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    let changed = false;
    for (const find of FINDERS) {
      const isSeam = (index: number) => isBehindSequence(sequences, index);
      const edits = find(clean, sequences.length === 0 ? undefined : isSeam);
      if (edits.length === 0) continue;
      changed = true;
      clean = applyEdits(clean, edits);
      sequences = moveSequences(sequences, edits);
    }
    if (!changed) {
      if (round === 0) return text;
      break;
    }
  }
  return shown === undefined ? clean : showSequences(clean, sequences);
}
