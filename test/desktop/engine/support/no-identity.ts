/**
 * The response of a server without identities to a request for its identity. Devices of `startDevice` have sessions
 * that no real server knows. Null for other paths.
 */
export function noIdentity(path: string): Response | null {
  if (path !== '/sync/1/identity') return null;
  const message = 'Endpoint not found';
  return Response.json({ error: true, message, msg: message }, { status: 404 });
}
