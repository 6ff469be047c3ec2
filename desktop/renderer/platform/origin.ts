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
