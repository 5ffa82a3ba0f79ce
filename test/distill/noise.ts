import type { Words } from './session.ts';

/** What belongs in no memory of any session. */
export const noiseEverywhere: Words = [
  // Narration: what the agent is about to do.
  /\blet me\b/,
  /\bI'll (start|begin|take a look|have a look|look at|check|run|read|go ahead)\b/,
  /\bnow I'll\b/,
  /\bfirst,? I('ll| will)\b/,
  // Courtesies.
  /\b(you're (welcome|absolutely right)|great question|good catch|happy to help|sounds good)\b/,
  /\blet me know\b/,
  // Frames of a stack trace.
  /^\s+at .+:\d+:\d+\)?$/m,
  /\bnode:internal\//,
  /TestContext\.<anonymous>|testCodeFailure|ERR_ASSERTION/,
  /^\s*File ".+", line \d+, in /m,
  // The lines a test runner prints about itself.
  /\bduration_ms\b/,
  /^(ℹ|#) (tests|suites|pass|cancelled|skipped|todo) \d/m,
  /^Ran \d+ tests? in \d/m,
  /\bTAP version\b/,
  // A file as the agent is shown it, with numbered lines; a diff as git prints it.
  /^\s*\d+\t(import|export|const|function|def|class)\b/m,
  /^@@ -\d+,\d+ \+\d+,\d+ @@/m,
  // What agents wrap around texts.
  /<\/?(system-reminder|task-notification|command-name|local-command-stdout|analysis)\b/,
  /\[Request interrupted by user/,
  /doesn't want to proceed with this tool use/,
];
