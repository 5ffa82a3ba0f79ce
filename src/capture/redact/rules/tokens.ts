import { businessTokens } from './business-tokens.ts';
import { cloudTokens } from './cloud-tokens.ts';
import { hostingTokens } from './hosting-tokens.ts';
import { messageTokens } from './message-tokens.ts';
import { modelTokens } from './model-tokens.ts';
import type { TokenRule } from './token-rule.ts';

/**
 * Secrets that can be told by their own form, wherever they are. Rules are functions, here and in the other lists,
 * because most hooks need none of them: only where an anchor is found.
 */
export const tokenRules = (): TokenRule[] => [
  ...hostingTokens(),
  ...cloudTokens(),
  ...modelTokens(),
  ...businessTokens(),
  ...messageTokens(),
];
