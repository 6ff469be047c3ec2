import { Problem } from '#shared/api/problem.ts';

import type { Core } from '../core.ts';

/** `fetch` to the session's server with its token; without a network it throws `Problem` unavailable. */
export function serverFetch({ request }: Pick<Core, 'request'>): typeof fetch {
  return (path, init) =>
    request(addressOf(path), init).catch((error: unknown) => {
      if (error instanceof Problem) throw error;
      throw new Problem('unavailable', 'This needs the server, which cannot be reached now', {
        cause: error,
      });
    });
}

function addressOf(input: RequestInfo | URL): string {
  if (typeof input === 'string') return input;
  return input instanceof URL ? input.href : input.url;
}
