import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

const paths = ['/sync/1/identity', '/api/2.0/user/token'];

/**
 * The response to signing in and to the request for the server's identity, for a device whose other requests go to a
 * real server under another token. Null for other paths.
 */
export function madeUpSession(path: string, init: RequestInit | undefined): Promise<Response> | null {
  return paths.includes(path) ? new StandInServer().fetch(`http://bench.test${path}`, init) : null;
}
