export const ADDRESS = '127.0.0.1';

/**
 * Whether a request was sent to this machine by name: a page whose name resolves to 127.0.0.1 sends its own. The port
 * has to be there, because an empty or partial header matches nothing.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `${ADDRESS}:${port}` || host === `localhost:${port}`;
}

export function ownOrigin(port: number): string {
  return `http://${ADDRESS}:${port}`;
}
