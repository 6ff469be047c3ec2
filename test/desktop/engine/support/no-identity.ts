/**
 * What a server of before identities answers to the question for its own: the devices of `startDevice` have a sign-in
 * that no real server knows. Null for everything else.
 */
export function noIdentity(path: string): Response | null {
  if (path !== '/sync/1/identity') return null;
  const message = 'Endpoint not found';
  return Response.json({ error: true, message, msg: message }, { status: 404 });
}
