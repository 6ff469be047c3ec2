import { sameValue } from '#shared/rules/same-value.ts';
import type { Db } from '#server/storage/tables.ts';

/** The values of a row according to the audit log; null if the log recorded only that the row was created. */
type RecordedRow = Record<string, unknown> | null;

/** Requests and signatures by id, according to the audit log. */
export interface RecordedApprovals {
  approval_requests: Map<number, RecordedRow>;
  approval_signatures: Map<number, RecordedRow>;
}

interface Change {
  table?: string;
  op?: string;
  key?: Record<string, unknown>;
  new?: Record<string, unknown>;
}

/** The final state of every request and signature, computed from the rows of the audit log in order. */
export async function recordedApprovals(db: Db): Promise<RecordedApprovals> {
  const rows = await db
    .selectFrom('audit_log')
    .select('changes')
    .where('changes', 'like', '%"table":"approval_%')
    .orderBy('seq')
    .execute();
  const recorded: RecordedApprovals = { approval_requests: new Map(), approval_signatures: new Map() };
  for (const { changes } of rows)
    for (const change of JSON.parse(changes) as Change[]) apply(recorded, change);
  return recorded;
}

function apply(recorded: RecordedApprovals, { table, op, key, new: values }: Change): void {
  if (table !== 'approval_requests' && table !== 'approval_signatures') return;
  const id = Number(Object.values(key ?? {})[0]);
  if (op === 'insert') recorded[table].set(id, values ?? null);
  const known = recorded[table].get(id);
  if (op === 'update' && known != null) recorded[table].set(id, { ...known, ...values });
}

/** How a stored row differs from the audit log; null if it does not. `recorded` is undefined if the log has no such row. */
export function differenceFrom(
  recorded: RecordedRow | undefined,
  stored: Readonly<Record<string, unknown>>,
): string | null {
  if (recorded === undefined) return 'the audit log has no entry about it';
  const changed = Object.entries(recorded ?? {}).flatMap(([name, value]) =>
    sameValue(value, stored[name]) ? [] : [name],
  );
  return changed.length === 0 ? null : `the audit log tells another ${changed.join(', ')}`;
}
