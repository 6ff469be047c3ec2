import { sameValue } from '#shared/rules/same-value.ts';
import { contains } from '#server/storage/dialect.ts';
import type { Db } from '#server/storage/tables.ts';

/** The values of a row according to the audit log; null if the log recorded only that the row was created. */
type RecordedRow = Record<string, unknown> | null;

const tables = ['approval_requests', 'approval_signatures', 'record_signatures'] as const;
type Signed = (typeof tables)[number];

/** Approval requests and signatures by id, according to the audit log. */
type RecordedSignatures = Record<Signed, Map<number, RecordedRow>>;

interface Change {
  table?: string;
  op?: string;
  key?: Record<string, unknown>;
  new?: Record<string, unknown>;
}

/** The final state of every approval request and signature, computed from the rows of the audit log in order. */
export async function recordedSignatures(db: Db): Promise<RecordedSignatures> {
  const rows = await db
    .selectFrom('audit_log')
    .select('changes')
    .where((is) => is.or(tables.map((name) => contains(db, 'changes', `"table":"${name}"`))))
    .orderBy('seq')
    .execute();
  const recorded: RecordedSignatures = {
    approval_requests: new Map(),
    approval_signatures: new Map(),
    record_signatures: new Map(),
  };
  for (const { changes } of rows)
    for (const change of JSON.parse(changes) as Change[]) apply(recorded, change);
  return recorded;
}

function apply(recorded: RecordedSignatures, { table: name, op, key, new: values }: Change): void {
  const table = tables.find((one) => one === name);
  if (table === undefined) return;
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
