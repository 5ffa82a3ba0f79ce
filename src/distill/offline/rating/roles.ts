import { alternative, compares } from '../../phrases/contrasts.ts';
import { correction } from '../../phrases/corrections.ts';
import { firstPerson } from '../../phrases/wishes.ts';
import { roleOfLabel, splitLabel } from '../text/labels.ts';
import { MARKERS, type Marker } from './markers.ts';
import type { Candidate, SentenceRole } from './rated-sentence.ts';

/** “1.9 instead of 41 seconds”: a measurement, no choice. */
export function comparesValues(text: string): boolean {
  return compares.test(text);
}

/** What a sentence is good for. */
export function roleOf({ from, under, text }: Candidate, markers: Set<Marker>): SentenceRole {
  if (from === 'person') return personRole(text, markers);
  if (from === 'answer') return 'decision';
  if (isOpen(under) || (markers.has('open') && !markers.has('cause'))) return 'open';
  const label = roleOfLabel(under);
  if (label === 'decision') return 'decision';
  if (label === 'gotcha') return 'trap';
  if (isOwnChoice(text, markers)) return 'decision';
  if (announcesNote(text)) return 'trap';
  if (isDeed(text, markers)) return label === 'note' ? 'trap' : 'deed';
  if (markers.has('obligation') && (markers.has('negation') || markers.has('condition'))) return 'trap';
  if (label === 'note') return 'trap';
  return markers.has('cause') ? 'cause' : 'finding';
}

/** “One consequence you should know: …”, “The side effect: …” */
export function announcesNote(text: string): boolean {
  const [, lead = ''] = /^([^:：]{4,45})[:：]\s/.exec(text) ?? [];
  return lead !== '' && (roleOfLabel(lead.toLowerCase()) === 'note' || MARKERS.obligation.test(lead));
}

/** A choice between ways, with its reason or by the agent itself. */
function isOwnChoice(text: string, markers: Set<Marker>): boolean {
  if (
    markers.has('choice') &&
    (markers.has('contrast') || markers.has('cause') || markers.has('but') || markers.has('negation'))
  )
    return true;
  return alternative.test(text) && !comparesValues(text) && (markers.has('cause') || firstPerson.test(text));
}

/** A choice, a rule, or something that the person tells. */
function personRole(text: string, markers: Set<Marker>): SentenceRole {
  if (isChoice(markers)) return 'decision';
  const isRule =
    markers.has('standing') || markers.has('obligation') || markers.has('negation') || correction.test(text);
  return isRule ? 'rule' : 'finding';
}

function isChoice(markers: Set<Marker>): boolean {
  return (
    (markers.has('choice') || markers.has('contrast')) &&
    !markers.has('standing') &&
    !markers.has('obligation')
  );
}

/** Says what was made, near its beginning: later in a sentence the same words tell a history. */
function isDeed(text: string, markers: Set<Marker>): boolean {
  return (
    markers.has('deed') && MARKERS.deed.test(text.slice(0, 60)) && !MARKERS.condition.test(text.slice(0, 12))
  );
}

/** Whether a heading announces what is left to do. */
export function isOpen(under: string): boolean {
  return under !== '' && (MARKERS.open.test(under) || roleOfLabel(under) === 'next');
}

/** “Next: write a test for the sixth attempt.”, in the middle of a paragraph. */
export function announcesNext(text: string): boolean {
  return roleOfLabel(splitLabel(text).label) === 'next';
}
