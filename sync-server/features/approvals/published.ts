import type { GuideFacts } from '#shared/model/guide.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { findDocument, findDocuments } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import type { RequestRow } from './facts.ts';
import { factsOfVersion } from './revision-hash.ts';
import { contentOfForms, formsOf, signedFormsOf } from './signed-forms.ts';

/**
 * Compares what readers see under the signatures of a publication with what was signed: the published version and,
 * while it is the current version, the record and the forms that readers and devices get. Returns the difference in
 * words, or null if there is none.
 */
export async function mismatchOfPublished(db: Db, request: RequestRow): Promise<string | null> {
  const { guideid, published_guide_revisionid } = request;
  if (published_guide_revisionid === null) return null;
  const signed = await factsOfVersion(db, request);
  if (signed === null) return null;
  const published = await factsOfVersion(db, { guideid, guide_revisionid: published_guide_revisionid });
  if (published === null) return 'the version that was published is gone';
  if (!sameText(published, signed)) return 'the version that was published is not what was signed';
  const shown = await findDocument(db, 'guides', guideid);
  if (shown?.guide_revisionid !== published_guide_revisionid) return null;
  if (!sameText(shown, signed)) return 'what readers see is not what was signed';
  return (await showsSignedForms(db, request, shown))
    ? null
    : 'the forms that readers see are not those signed';
}

/** Whether the current forms are the signed ones. True as well if the guide itself says that its forms changed. */
async function showsSignedForms(db: Db, request: RequestRow, shown: GuideFacts): Promise<boolean> {
  const signed = signedFormsOf(request);
  const shownRequest = shown.approval?.requests.find(
    (one) => one.approval_requestid === request.approval_requestid,
  );
  if (signed === null || shownRequest === undefined || shownRequest.forms_changed === true) return true;
  if (!sameValue(await formsOf(db, shown), signed)) return false;
  const stepids = shown.steps.map(({ stepid }) => stepid);
  const read = (await findDocuments(db, 'stepForms', stepids)).map(
    ({ guideid: _guideid, ...content }) => content,
  );
  const content = (await contentOfForms(db, signed)) ?? [];
  const byStep = (one: { stepid: number }, other: { stepid: number }): number => one.stepid - other.stepid;
  return sameValue(read.toSorted(byStep), content.toSorted(byStep));
}

/** Whether two versions have the same content. The category is left out: renaming it creates no version. */
function sameText(one: GuideFacts, other: GuideFacts): boolean {
  const said = (facts: GuideFacts): object => ({
    ...contentOf(facts),
    category: '',
    langid: facts.langid,
    pins: facts.prerequisite_releases ?? [],
  });
  return sameValue(said(one), said(other));
}
