/** How the client's debug log reports a hook that fails, is too slow or prints an invalid answer. */
const COMPLAINTS = [
  /\[ERROR\].*\bhook\b/i,
  /\bHooks: .* timed out\b/,
  /\bHook .* cancelled\b/,
  /\bHook JSON output validation failed\b/,
  /\bHook output starts with \{ but is not a JSON object\b/,
];

/** The lines of a client's debug log that complain about a hook. */
export function hookComplaints(debugLog: string): string[] {
  return debugLog.split('\n').filter((line) => COMPLAINTS.some((complaint) => complaint.test(line)));
}
