import { sameValue } from '#shared/rules/same-value.ts';
import type { Db } from '#server/storage/tables.ts';

/** The values of a row according to the audit log; null if the log recorded only that the row was created. */
type ToldRow = Record<string, unknown> | null;

/** Requests and signatures by id, according to the audit log. */
export interface ToldApprovals {
  approval_requests: Map<number, ToldRow>;
  approval_signatures: Map<number, ToldRow>;
}

interface Change {
  table?: string;
  op?: string;
  key?: Record<string, unknown>;
  new?: Record<string, unknown>;
}

/** The final state of every request and signature, computed from the rows of the audit log in order. */
export async function toldApprovals(db: Db): Promise<ToldApprovals> {
  const rows = await db
    .selectFrom('audit_log')
    .select('changes')
    .where('changes', 'like', '%"table":"approval_%')
    .orderBy('seq')
    .execute();
  const told: ToldApprovals = { approval_requests: new Map(), approval_signatures: new Map() };
  for (const { changes } of rows) for (const change of JSON.parse(changes) as Change[]) apply(told, change);
  return told;
}

function apply(told: ToldApprovals, { table, op, key, new: values }: Change): void {
  if (table !== 'approval_requests' && table !== 'approval_signatures') return;
  const id = Number(Object.values(key ?? {})[0]);
  if (op === 'insert') told[table].set(id, values ?? null);
  const known = told[table].get(id);
  if (op === 'update' && known != null) told[table].set(id, { ...known, ...values });
}

/** How a stored row differs from the audit log; null if it does not. `told` is undefined if the log has no such row. */
export function differenceFrom(
  told: ToldRow | undefined,
  stored: Readonly<Record<string, unknown>>,
): string | null {
  if (told === undefined) return 'the audit log tells nothing of it';
  const changed = Object.entries(told ?? {}).flatMap(([name, value]) =>
    sameValue(value, stored[name]) ? [] : [name],
  );
  return changed.length === 0 ? null : `the audit log tells another ${changed.join(', ')}`;
}
