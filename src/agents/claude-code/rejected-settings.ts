import type { Node } from 'jsonc-parser';
import { findProperty, InvalidJsonError, parseJsonText } from '../install/json-text.ts';

/** A value of the wrong type in valid JSON: Claude Code then ignores the whole file and runs none of its hooks. */
export class RejectedSettingError extends InvalidJsonError {}

type Kind = 'a string' | 'a boolean' | 'an object' | 'an array' | 'a whole number of at least 1';

/**
 * Common settings for which Claude Code 2.1 rejects its whole file if their value has another type. It corrects or
 * skips wrong values of other settings, and accepts unknown settings.
 */
const KINDS: Record<Kind, string[]> = {
  'a string': [
    ...['model', 'language', 'outputStyle', 'agent', 'apiKeyHelper', 'awsAuthRefresh', 'awsCredentialExport'],
    ...['otelHeadersHelper', 'plansDirectory', 'permissions.defaultMode', 'statusLine.command'],
  ],
  'a boolean': [
    ...['disableAllHooks', 'includeCoAuthoredBy', 'alwaysThinkingEnabled', 'respectGitignore', 'verbose'],
    ...['enableAllProjectMcpServers', 'spinnerTipsEnabled', 'autoCompactEnabled', 'autoMemoryEnabled'],
    ...['prefersReducedMotion', 'fastMode'],
  ],
  'an object': ['permissions', 'statusLine', 'fileSuggestion', 'enabledPlugins', 'sandbox'],
  'an array': ['allow', 'deny', 'ask', 'additionalDirectories'].map((key) => `permissions.${key}`),
  'a whole number of at least 1': ['cleanupPeriodDays'],
};

/** The first value for which the client would ignore the file; null if none is found. */
export function findRejectedSetting(text: string): RejectedSettingError | null {
  const root = parseJsonText(text);
  const rejected = Object.entries(KINDS).flatMap(([kind, paths]) =>
    paths.flatMap((path) => {
      const value = path.split('.').reduce<Node | undefined>(findProperty, root);
      return value && !isOfKind(value, kind as Kind) ? [{ path, kind, offset: value.offset }] : [];
    }),
  );
  const [first] = rejected.sort((a, b) => a.offset - b.offset);
  if (!first) return null;
  const says = `"${first.path}" must be ${first.kind}; as it is, Claude Code ignores the whole file`;
  return new RejectedSettingError(text, first.offset, says);
}

function isOfKind({ type, value }: Node, kind: Kind): boolean {
  if (kind === 'a whole number of at least 1') return Number.isInteger(value) && value >= 1;
  return kind.endsWith(` ${type}`);
}
