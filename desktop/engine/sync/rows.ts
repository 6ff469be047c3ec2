import type { FeedRow } from '#shared/sync/wire.ts';

/** Real ids by temporary ones in a row: `key` of the record and of its steps. */
export function createdBy(row: FeedRow): Record<string, string> {
  const facts = row.doc as Facts | undefined;
  if (facts === undefined) return {};
  const steps = (facts.steps ?? []).flatMap(({ key, stepid }) =>
    key === undefined ? [] : [[tmp(key), String(stepid)]],
  );
  const own = facts.key === undefined ? [] : [[tmp(facts.key), realIdOf(row, facts)]];
  return Object.fromEntries([...own, ...steps]) as Record<string, string>;
}

interface Facts {
  key?: string;
  steps?: { key?: string; stepid: number }[];
  image?: { id?: number } | null;
  documentid?: number;
  videoid?: number;
}

/** Media have ids such as `image:{id}` in the feed; their numbers are in the facts. */
function realIdOf(row: FeedRow, facts: Facts): string {
  if (row.c !== 'media') return row.id;
  return String(facts.image?.id ?? facts.documentid ?? facts.videoid ?? row.id);
}

function tmp(key: string): string {
  return key.startsWith('tmp:') ? key : `tmp:${key}`;
}

/** The revision of a record as a `revisionid` names it; undefined for records without one. */
export function revisionOf(row: FeedRow): number | undefined {
  const facts = row.doc as Revised | undefined;
  // An edit of a wiki is made against its newest version, patrolled or not.
  return facts?.unpatrolled?.revisionid ?? facts?.revisionid ?? facts?.form_revisionid;
}

interface Revised {
  revisionid?: number;
  form_revisionid?: number;
  unpatrolled?: { revisionid: number };
}
