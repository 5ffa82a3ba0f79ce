export const ADDRESS = '127.0.0.1';

/**
 * Whether the Host header names this machine. A page whose host name resolves to 127.0.0.1 sends its own name. The port
 * is required, so an empty or partial header never matches.
 */
export function isOwnHost(host: string | undefined, port: number): boolean {
  return host === `${ADDRESS}:${port}` || host === `localhost:${port}`;
}

export function ownOrigin(port: number): string {
  return `http://${ADDRESS}:${port}`;
}
