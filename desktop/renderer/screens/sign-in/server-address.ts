/** The address of a server as a person types it, with https where no scheme is given. */
export function withScheme(server: string): string {
  const address = server.trim().replace(/\/+$/, '');
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}

/** Whether what a person typed can be the address of a server. */
export function isAddress(server: string): boolean {
  return server.trim() !== '' && URL.canParse(withScheme(server));
}
