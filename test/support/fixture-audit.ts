import { type AuditActions, type AuditQuery, auditPageSize } from '#desktop/engine/api/audit.ts';
import type { AuditEntry } from '#shared/model/audit.ts';

const noon = Date.UTC(2026, 4, 4, 12) / 1000;

const kinds: Pick<AuditEntry, 'action' | 'object' | 'objectid' | 'changes'>[] = [
  {
    action: 'PATCH /users/{userid}',
    object: 'user',
    objectid: '9102',
    changes: [
      {
        table: 'users',
        op: 'update',
        key: { userid: 9102 },
        old: { location: 'Graz', password_hash: '[hidden]' },
        new: { location: 'Linz', password_hash: '[hidden]' },
      },
    ],
  },
  {
    action: 'PATCH /guides/{guideid}',
    object: 'guide',
    objectid: '9001',
    changes: [{ table: 'guide_revisions', op: 'insert', key: { guide_revisionid: 412 } }],
  },
  {
    action: 'benchbook site set',
    object: 'meta',
    objectid: 'site',
    changes: [
      {
        table: 'meta',
        op: 'update',
        key: { name: 'site' },
        old: { value: '{"title":"Guides"}' },
        new: { value: '{"title":"Line 1"}' },
      },
    ],
  },
  {
    action: 'DELETE /guides/{guideid}/tag',
    object: 'guide',
    objectid: '9001',
    changes: [{ table: 'tags', op: 'delete', key: { tagid: 4 }, old: { tagid: 4, tag: 'belt' } }],
  },
];

/** Rows of the audit log, newest first. */
function demoRows(number: number): AuditEntry[] {
  return Array.from({ length: number }, (_, index): AuditEntry => {
    const seq = number - index;
    const kind = kinds[seq % kinds.length] ?? kinds[0];
    const isRefused = seq % 7 === 0;
    return {
      seq,
      date: noon - index * 60,
      time: new Date((noon - index * 60) * 1000).toISOString(),
      userid: kind?.action.startsWith('benchbook') === true ? null : 9101,
      name: kind?.action.startsWith('benchbook') === true ? 'Command line (root)' : 'Ana Ruiz',
      impersonator: seq % 5 === 0 ? 9102 : null,
      outcome: isRefused ? 'refused' : 'done',
      revision_before: kind?.object === 'guide' ? 410 : null,
      revision_after: kind?.object === 'guide' ? 412 : null,
      address: kind?.action.startsWith('benchbook') === true ? '' : '192.168.10.24',
      action: kind?.action ?? '',
      object: kind?.object ?? '',
      objectid: kind?.objectid ?? '',
      changes: isRefused ? [{ facts: { reason: 'wrong password' } }] : (kind?.changes ?? []),
      prev_hash: hashOf(seq - 1),
      hash: hashOf(seq),
    };
  });
}

function hashOf(seq: number): string {
  return seq.toString(16).padStart(64, '0');
}

/** An audit log in the memory of the page. */
export function auditActions(): AuditActions {
  const rows = demoRows(120);
  return {
    readAudit: async (query, page) => {
      const found = rows.filter((row) => fits(row, query));
      const start = page * auditPageSize;
      return { entries: found.slice(start, start + auditPageSize), total: found.length };
    },
    readAuditGap: () => Promise.resolve(null),
  };
}

function fits(row: AuditEntry, { from, until, ...rest }: AuditQuery): boolean {
  const isIn = row.date >= (from ?? 0) && row.date < (until ?? Number.POSITIVE_INFINITY);
  const wanted = Object.entries(rest) as [keyof typeof rest, string | number | undefined][];
  return isIn && wanted.every(([name, value]) => value === undefined || row[name] === value);
}
