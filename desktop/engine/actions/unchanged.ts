import { requestOf, type LooseArguments } from '#shared/api/client.ts';
import type { CallResult, Endpoint } from '#shared/api/endpoint.ts';
import { conflict, Problem } from '#shared/api/problem.ts';

import type { Core } from '../account/core.ts';
import { readOwn, serverFetch } from './server-client.ts';

/** Attempts to write when parts of the record change that do not matter. */
const mostTries = 5;

interface GuardedWrite<E extends Endpoint, T> {
  /** The GET at the address of the write. */
  endpoint: E;
  args: LooseArguments;
  /** Whether the record still is what the person saw, in what the write changes. */
  isAsSeen: (record: CallResult<E>) => boolean;
  write: (options: { ifMatch?: string }) => Promise<T>;
}

/**
 * Writes to a record without revisions, unless somebody changed it since the person saw it. Throws `Problem` conflict with
 * the present record then.
 */
export async function writeUnchanged<E extends Endpoint, T>(
  core: Pick<Core, 'request'>,
  { endpoint, args, isAsSeen, write }: GuardedWrite<E, T>,
): Promise<T> {
  const { url, init } = requestOf(endpoint, args, { baseUrl: '' }, {});
  for (let tries = 1; ; tries += 1) {
    const response = await serverFetch(core)(url, init);
    const record = (await readOwn(endpoint, response)) as CallResult<E>;
    if (!isAsSeen(record)) throw conflict(record);
    const etag = response.headers.get('etag');
    try {
      return await write(etag === null ? {} : { ifMatch: etag });
    } catch (error) {
      const isChanged = error instanceof Problem && error.kind === 'conflict';
      if (!isChanged || tries === mostTries) throw error;
    }
  }
}
