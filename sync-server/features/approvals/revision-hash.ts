import { createHash } from 'node:crypto';

import type { SignedForm } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db } from '#server/storage/tables.ts';

import type { RequestRow } from './facts.ts';
import { contentOfForms, formsOf, signedFormsOf } from './signed-forms.ts';

/** A prerequisite pinned to a release. */
interface PinnedRelease {
  guideid: number;
  releaseid: number;
  /** Absent if the request or the release is older than the storage of forms with releases. */
  forms?: SignedForm[];
}

/** What is signed in addition to the version of the guide. */
export interface SignedAdditions {
  pinned: readonly PinnedRelease[];
  /** Null if the request is older than the signing of forms. */
  forms: readonly SignedForm[] | null;
}

/** The pinned releases and forms that are current for a version. */
export async function currentAdditions(db: Db, facts: GuideFacts): Promise<SignedAdditions> {
  return { pinned: await pinnedReleases(db, facts), forms: await formsOf(db, facts) };
}

/** The pinned releases and forms that were stored with a request. */
export function additionsOf(row: Pick<RequestRow, 'prerequisites' | 'forms'>): SignedAdditions {
  return { pinned: JSON.parse(row.prerequisites) as PinnedRelease[], forms: signedFormsOf(row) };
}

/** The releases that a version pins. A pin that follows the latest release is resolved to the current one. */
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
 * The hash that people sign: the SHA-256, in hex, of this canonical JSON (RFC 8785: sorted keys, no whitespace, UTF-8):
 *
 *     {
 *       "guide": {…},
 *       "prerequisites": [{ "guideid": 61, "releaseid": 4, "guide": {…}, "forms": […] }],
 *       "forms": [{ "stepid": 7, "form_revisionid": 12, "fields": […] }]
 *     }
 *
 * `guide` is the body of the row of `guide_revisions` that `guide_revisionid` names: every text, picture, document,
 * step and line. `prerequisites` are the ones that the guide pins to a release, with the released version and the forms
 * that its steps had (`guide_releases.forms`; absent for releases older than that column). A pin that follows the
 * latest release is resolved when the request is raised (`approval_requests.prerequisites`). Prerequisites without a
 * pin are not signed. `forms` are the forms of the guide's steps when the request was raised
 * (`approval_requests.forms`), with all their fields, limits and choices, in the order of the steps. Older requests
 * have NULL there, and their hash leaves `forms` out.
 *
 * Returns null if one of these versions does not exist.
 */
export async function revisionHash(
  db: Db,
  version: { guideid: number; guide_revisionid: number },
  { pinned, forms }: SignedAdditions,
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

/** A stored version of a guide; null if it does not exist. */
export async function factsOfVersion(
  db: Db,
  { guideid, guide_revisionid }: { guideid: number; guide_revisionid: number },
): Promise<GuideFacts | null> {
  const [row] = await versionRow(db, { guideid, guide_revisionid });
  return row === undefined ? null : (JSON.parse(row.body) as GuideFacts);
}

const versionRow = prepared<{ guideid: number; guide_revisionid: number }, { body: string }>((db, value) =>
  db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', value('guideid'))
    .where('guide_revisionid', '=', value('guide_revisionid')),
);
