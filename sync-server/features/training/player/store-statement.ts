import type { Context } from '#server/core/context.ts';

import type { JsonObject } from './json.ts';
import type { PlaySession } from './sessions.ts';

/** A valid statement with an id. */
export type KnownStatement = JsonObject & { id: string };

/** Stores a statement with the fields that the server adds (xAPI part 2, 2.4); returns the stored statement. */
export async function storeStatement(
  ctx: Context,
  { registrationid }: Pick<PlaySession, 'registrationid'>,
  statement: KnownStatement,
): Promise<KnownStatement> {
  const stored_ms = ctx.services.now();
  const stored = new Date(stored_ms).toISOString();
  const authority = {
    objectType: 'Agent',
    name: 'Benchbook',
    account: { homePage: 'urn:benchbook', name: 'lrs' },
  };
  const body = { version: '1.0.0', timestamp: stored, ...statement, stored, authority };
  await ctx.db
    .insertInto('training_statements')
    .values({ registrationid, statementid: statement.id, body: JSON.stringify(body), stored_ms })
    .execute();
  return body;
}
