import { businessTokens } from './business-tokens.ts';
import { cloudTokens } from './cloud-tokens.ts';
import { hostingTokens } from './hosting-tokens.ts';
import { messageTokens } from './message-tokens.ts';
import { modelTokens } from './model-tokens.ts';
import type { TokenRule } from './token-rule.ts';

/**
 * Secrets recognised by their own form, anywhere. Rules are functions, here and in the other lists, because most
 * hooks need none of them.
 */
export const tokenRules = (): TokenRule[] => [
  ...hostingTokens(),
  ...cloudTokens(),
  ...modelTokens(),
  ...businessTokens(),
  ...messageTokens(),
];
