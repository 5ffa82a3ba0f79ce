/** An open session without events for this long counts as ended until it sends another event. */
export const SESSION_SILENT_MS = 30 * 60_000;

/** Agents choose their session ids. Only ids that capture.sh accepts too are used as file names. */
export function isSessionFileName(agentSession: string): boolean {
  return /^[0-9A-Za-z_-]{1,40}$/.test(agentSession);
}
