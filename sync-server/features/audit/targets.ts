import { z } from 'zod';

import type { Services } from '#server/core/services.ts';
import { auditHash } from '#shared/model/audit.ts';
import type { Db } from '#server/storage/tables.ts';
import { ownOrigin } from '#server/storage/audit/origin.ts';

/** Allows every network, for private addresses that an administrator named explicitly. */
export const everywhere: readonly string[] = ['0.0.0.0/0', '::/0'];

/**
 * Targets of heads besides the server's log and webhooks, which have their own list of deliveries.
 *
 * - AUDIT-16 The syslog receiver and the authority can be set on the command line only; the API neither shows nor
 *   changes them. They are tried when they are set, and not stored if that fails. Private addresses are refused as for
 *   webhooks, when set and at each call, unless the command line names them with `--private`.
 */
export const targetNames = ['syslog', 'timestamp'] as const;
export type TargetName = (typeof targetNames)[number];

const state = z.strictObject({
  /** The last head that the target accepted; `at`: UNIX ms. */
  told: z.strictObject({ seq: z.int(), hash: auditHash, at: z.int() }).optional(),
  /** The failures since then. */
  failed: z.strictObject({ attempts: z.int(), at: z.int(), reason: z.string() }).optional(),
});
type TargetState = z.infer<typeof state>;

const states = z.strictObject({ syslog: state.optional(), timestamp: state.optional() });
type TargetStates = z.infer<typeof states>;

const row = 'audit_targets';

/** The stored state of each target. */
export async function targetStates(db: Db): Promise<TargetStates> {
  const found = await db.selectFrom('meta').select('value').where('name', '=', row).executeTakeFirst();
  return found === undefined ? {} : states.parse(JSON.parse(found.value));
}

/** Stores the result of an attempt. A success clears earlier failures. */
export async function noteTarget(
  services: Pick<Services, 'storage' | 'acting'>,
  name: TargetName,
  news: TargetState,
): Promise<void> {
  await services.storage.write(ownOrigin(services, 'audit head'), async (tx) => {
    const before = await targetStates(tx);
    const told = news.told ?? before[name]?.told;
    const now = {
      ...(told === undefined ? {} : { told }),
      ...(news.failed === undefined ? {} : { failed: news.failed }),
    };
    const value = JSON.stringify({ ...before, [name]: now });
    await tx
      .insertInto('meta')
      .values({ name: row, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  });
}
