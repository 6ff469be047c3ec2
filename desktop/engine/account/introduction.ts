import { Problem } from '#shared/api/problem.ts';

import { Impostor, Unreachable } from '../sync/connection-errors.ts';
import type { ServerConnection } from '../sync/server-connection.ts';
import { type Granted, unreachableMessage } from './sign-in-request.ts';
import { whoIs, type Introduced } from './who-is.ts';

/**
 * Asks the server that granted a session for its identity, before any data of the person is opened (ACCOUNT-3). Null: it is
 * of a version without identities.
 * @throws Problem unavailable when it does not say clearly which server it is
 */
export async function introductionOf(
  { server, identity }: Granted,
  connection: ServerConnection,
): Promise<Introduced | null> {
  if (identity === null) return null;
  try {
    const introduced = await whoIs(connection);
    if (introduced !== null && introduced.server === identity.server) return introduced;
  } catch (cause) {
    if (cause instanceof Impostor) throw new Problem('unavailable', cause.message, { cause });
    if (cause instanceof Unreachable) throw new Problem('unavailable', unreachableMessage(server), { cause });
    throw cause;
  }
  throw new Problem('unavailable', `${server} does not say clearly which server it is. Try again`);
}
