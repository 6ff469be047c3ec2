/** The address of a sync server that runs on this computer. */
const localServer = 'http://127.0.0.1:4020';

/** The server a new device is offered: the one that served this page, else the local one. */
export function defaultServer(): string {
  return location.protocol.startsWith('http') ? location.origin : localServer;
}

/** A page from an insecure origin has no private file system: it cannot keep work (design: access). */
export function isInsecureOrigin(): boolean {
  return !isSecureContext;
}

/** The address of a server as a person types it, with https where no scheme is given. */
export function withScheme(server: string): string {
  const address = server.trim().replace(/\/+$/, '');
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}

/** Whether what a person typed can be the address of a server. */
export function isAddress(server: string): boolean {
  return server.trim() !== '' && URL.canParse(withScheme(server));
}
