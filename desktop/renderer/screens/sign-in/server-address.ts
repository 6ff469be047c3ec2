/** The address of a server as a person types it, with https where no scheme is given. */
export function withScheme(server: string): string {
  const address = server.trim().replace(/\/+$/, '');
  return /^https?:\/\//i.test(address) ? address : `https://${address}`;
}
