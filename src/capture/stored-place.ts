import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { GitCheckout } from '../platform/git/checkout.ts';
import { findCheckoutOf, findPlace } from './place.ts';
import { redactValue } from './redact/redact-value.ts';

/**
 * The place of a folder as stored. A path, branch or remote may contain a token, so places are redacted before they
 * are stored and before they are looked up.
 */
export function toStoredPlace(
  folder: string,
  checkout: GitCheckout | null = findCheckoutOf(folder),
): Redacted<Place> {
  return redactValue(findPlace(folder, checkout));
}

/** The branch of a checkout as stored, to compare with the branches of memories and work items. */
export function toStoredBranch(checkout: GitCheckout | null): Redacted | undefined {
  return checkout?.branch === undefined ? undefined : redactValue(checkout.branch);
}
