import type { Place } from '../model/project.ts';
import type { Redacted } from '../model/redacted.ts';
import type { GitCheckout } from '../platform/git/checkout.ts';
import { checkoutOf, placeOf } from './place.ts';
import { redactValue } from './redact/redact-value.ts';

/**
 * The place of a folder as the store knows it. A path, branch or remote can hold a token, so places are redacted
 * before they are stored, and before they are looked up: otherwise such a project would never be found.
 */
export function storedPlaceOf(
  folder: string,
  checkout: GitCheckout | null = checkoutOf(folder),
): Redacted<Place> {
  return redactValue(placeOf(folder, checkout));
}

/** The same for the branch of a checkout, which memories and work items are compared with. */
export function storedBranchOf(checkout: GitCheckout | null): Redacted | undefined {
  return checkout?.branch === undefined ? undefined : redactValue(checkout.branch);
}
