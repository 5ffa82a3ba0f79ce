/** An open session that was silent for so long counts as ended, until it is heard of again. */
export const SESSION_SILENT_MS = 30 * 60_000;

/** Agents make up the ids of their sessions. Only one that capture.sh accepts, too, is used as a file name. */
export function isSessionFileName(agentSession: string): boolean {
  return /^[0-9A-Za-z-]{1,40}$/.test(agentSession);
}
