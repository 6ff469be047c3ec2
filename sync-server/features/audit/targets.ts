import { z } from 'zod';

import type { Services } from '#server/core/services.ts';
import { auditHash } from '#shared/model/audit.ts';
import type { Db } from '#server/storage/tables.ts';

import { ownOrigin } from '#server/storage/audit/origin.ts';

/** Targets of heads beside webhooks, whose deliveries are listed with them, and the log of the server. */
export const targetNames = ['syslog', 'timestamp'] as const;
export type TargetName = (typeof targetNames)[number];

const state = z.strictObject({
  /** The head that it took last; `at`: UNIX ms. */
  told: z.strictObject({ seq: z.int(), hash: auditHash, at: z.int() }).optional(),
  /** The failures since then. */
  failed: z.strictObject({ attempts: z.int(), at: z.int(), reason: z.string() }).optional(),
});
type TargetState = z.infer<typeof state>;

const states = z.strictObject({ syslog: state.optional(), timestamp: state.optional() });
type TargetStates = z.infer<typeof states>;

const row = 'audit_targets';

/** What came of telling heads so far. */
export async function targetStates(db: Db): Promise<TargetStates> {
  const found = await db.selectFrom('meta').select('value').where('name', '=', row).executeTakeFirst();
  return found === undefined ? {} : states.parse(JSON.parse(found.value));
}

/** Remembers what came of a try: what was told ends the failures before it. */
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
