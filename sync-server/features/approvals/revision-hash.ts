import { createHash } from 'node:crypto';

import type { SignedForm } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import type { Db } from '#server/storage/tables.ts';

import type { RequestRow } from './facts.ts';
import { contentOfForms, formsOf, signedFormsOf } from './signed-forms.ts';

/** A prerequisite as it was released. */
interface PinnedRelease {
  guideid: number;
  releaseid: number;
  /** Absent: the request, or the release, is from before releases kept their forms. */
  forms?: SignedForm[];
}

/** What is signed together with the version of a guide. */
export interface SignedWith {
  pinned: readonly PinnedRelease[];
  /** Null: the request is from before forms were signed. */
  forms: readonly SignedForm[] | null;
}

/** What a version has beside it now. */
export async function besideNow(db: Db, facts: GuideFacts): Promise<SignedWith> {
  return { pinned: await pinnedReleases(db, facts), forms: await formsOf(db, facts) };
}

/** What the version of a request had beside it. */
export function besideOf(row: Pick<RequestRow, 'prerequisites' | 'forms'>): SignedWith {
  return { pinned: JSON.parse(row.prerequisites) as PinnedRelease[], forms: signedFormsOf(row) };
}

/** The releases that a version shows its pinned prerequisites as; one that follows the last release has that of now. */
async function pinnedReleases(db: Db, facts: GuideFacts): Promise<PinnedRelease[]> {
  const pinned: PinnedRelease[] = [];
  for (const { guideid, releaseid } of facts.prerequisite_releases ?? []) {
    const chosen = releaseid ?? (await lastRelease(db, guideid));
    if (chosen !== null) pinned.push(await withForms(db, { guideid, releaseid: chosen }));
  }
  return pinned.toSorted((a, b) => a.guideid - b.guideid);
}

async function withForms(db: Db, pin: PinnedRelease): Promise<PinnedRelease> {
  const row = await db
    .selectFrom('guide_releases')
    .select('forms')
    .where('guideid', '=', pin.guideid)
    .where('releaseid', '=', pin.releaseid)
    .executeTakeFirst();
  const forms = row === undefined ? null : signedFormsOf(row);
  return forms === null ? pin : { ...pin, forms };
}

async function lastRelease(db: Db, guideid: number): Promise<number | null> {
  const row = await db
    .selectFrom('guide_releases')
    .select('releaseid')
    .where('guideid', '=', guideid)
    .where('status', '=', 'released')
    .orderBy('releaseid', 'desc')
    .executeTakeFirst();
  return row?.releaseid ?? null;
}

/**
 * What people sign: the SHA-256, in hex, of the canonical JSON of `{guide, prerequisites, forms}`. `guide` is the row of
 * `guide_revisions` that `guide_revisionid` names, as facts; `prerequisites` are `{guideid, releaseid, guide, forms}` of
 * each release; `forms` are `{stepid, form_revisionid, fields}` of the steps that have one, and are no part of it in requests
 * from before forms were signed. Null when one of these versions is not there.
 */
export async function revisionHash(
  db: Db,
  version: { guideid: number; guide_revisionid: number },
  { pinned, forms }: SignedWith,
): Promise<string | null> {
  const guide = await factsOfVersion(db, version);
  if (guide === null) return null;
  const prerequisites = [];
  for (const { guideid, releaseid, forms: own } of pinned) {
    const release = await db
      .selectFrom('guide_releases')
      .select(['guideid', 'guide_revisionid'])
      .where('guideid', '=', guideid)
      .where('releaseid', '=', releaseid)
      .executeTakeFirst();
    const released = release === undefined ? null : await factsOfVersion(db, release);
    const ownContent = own === undefined ? undefined : await contentOfForms(db, own);
    if (released === null || ownContent === null) return null;
    const withOwn = ownContent === undefined ? {} : { forms: ownContent };
    prerequisites.push({ guideid, releaseid, guide: released, ...withOwn });
  }
  const content = forms === null ? undefined : await contentOfForms(db, forms);
  if (content === null) return null;
  const signed = { guide, prerequisites, ...(content === undefined ? {} : { forms: content }) };
  return createHash('sha256').update(canonicalJson(signed), 'utf8').digest('hex');
}

/** A stored version of a guide; null when it is not there. */
export async function factsOfVersion(
  db: Db,
  { guideid, guide_revisionid }: { guideid: number; guide_revisionid: number },
): Promise<GuideFacts | null> {
  const row = await db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', guideid)
    .where('guide_revisionid', '=', guide_revisionid)
    .executeTakeFirst();
  return row === undefined ? null : (JSON.parse(row.body) as GuideFacts);
}
