/** Address of a sync server on this computer. */
const localServer = 'http://127.0.0.1:4020';

/**
 * The server that the sign-in suggests on a new device: the one that served this page, otherwise a local one.
 */
export function defaultServer(): string {
  return servingOrigin() ?? localServer;
}

/** The server that served this page; null in the desktop app, which has the page itself. */
export function servingOrigin(): string | null {
  return location.protocol.startsWith('http') ? location.origin : null;
}

/** Whether the page has an insecure origin. Such a page has no private file system and cannot store work. */
export function isInsecureOrigin(): boolean {
  return !isSecureContext;
}

/** The typed address of a server, with `https://` where the scheme is missing. */
export function withScheme(server: string): string {
  const address = server.trim().replace(/\/+$/, '');
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}

/** Whether the typed text can be the address of a server. */
export function isAddress(server: string): boolean {
  return server.trim() !== '' && URL.canParse(withScheme(server));
}
