import { redactValue } from '../../capture/redact/redact-value.ts';
import type { SharedMemory } from '../../store/types/team.ts';
import type { FeedText } from '../feed.ts';
import { type ChangeValue, decodePayload, UnusableChange } from '../sync/payload.ts';

/** A memory on the team's server. */
export interface TeamMemory {
  item: string;
  /** The server's number of its project. */
  project: number;
  author: string;
  text: SharedMemory;
  pinnedAt: number | null;
  /** The item that has replaced it. */
  supersededBy: string | null;
}

/** @returns null for an item that is not a memory, was withdrawn, or cannot be read by this Cairn. */
export function readTeamMemory(found: FeedText): TeamMemory | null {
  try {
    const decoded = decodePayload('text', found.payload);
    if (decoded.aspect !== 'text' || decoded.value.what !== 'memory') return null;
    const state = read('state', found.state);
    if (state?.aspect === 'state' && 'isWithdrawn' in state.value && state.value.isWithdrawn) return null;
    const pin = read('pin', found.pin);
    const supersession = read('supersession', found.supersession);
    const { what: _, ...text } = redactValue(decoded.value);
    return {
      ...{ item: found.item, project: found.project, author: redactValue(found.author), text },
      pinnedAt: pin?.aspect === 'pin' ? pin.value : null,
      supersededBy: supersession?.aspect === 'supersession' ? supersession.value : null,
    };
  } catch (error) {
    if (error instanceof UnusableChange) return null;
    throw error;
  }
}

function read(aspect: 'pin' | 'supersession' | 'state', payload: Uint8Array | null): ChangeValue | null {
  return payload === null ? null : decodePayload(aspect, payload);
}
