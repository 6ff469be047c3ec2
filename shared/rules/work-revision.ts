import type { GuideFacts } from '#shared/model/guide.ts';
import type { RevisionDecision, WorkedRevision } from '#shared/model/revision.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { EntryFacts } from '#shared/model/work-log.ts';
import type { WorkVersion } from '#shared/model/work-version.ts';

import { isAbout } from './approvals.ts';

/** The highest revision among the forms of the guide's own steps; 0: they have none. */
export function highestForm(
  { steps }: Pick<GuideFacts, 'steps'>,
  forms: readonly Pick<StepForm, 'stepid' | 'form_revisionid'>[],
): number {
  const own = new Set(steps.map(({ stepid }) => stepid));
  return forms.reduce(
    (highest, form) => (own.has(form.stepid) ? Math.max(highest, form.form_revisionid) : highest),
    0,
  );
}

/**
 * A version of a guide as the revision that an order is worked by. `at`: when, in ms since 1970; an approval counts if all
 * stages had signed by then, and signed the same forms.
 */
export function workedRevisionOf(facts: GuideFacts, form_revisionid: number, at: number): WorkedRevision {
  const { guide_revisionid, revision, approval } = facts;
  const isApproved = (approval?.requests ?? []).some(
    ({ status, end_date, forms = [], published_guide_revisionid, guide_revisionid: signed }) =>
      status === 'approved' &&
      isAbout({ guide_revisionid: signed, published_guide_revisionid }, facts) &&
      (end_date ?? 0) <= Math.ceil(at / 1000) &&
      highestForm(facts, forms) === form_revisionid,
  );
  return {
    guide_revisionid,
    form_revisionid,
    ...(revision === undefined ? {} : { counted: revision }),
    ...(approval === undefined ? {} : { approval: isApproved ? 'approved' : 'unapproved' }),
  };
}

/** The text of a version for an order: without its permissions, its quiz and its prerequisites, which have their own. */
export function versionText(facts: GuideFacts): WorkVersion['guide'] {
  const {
    key: _key,
    uid: _uid,
    prerequisites: _prerequisites,
    prerequisite_releases: _pins,
    modified_userid: _by,
    allowed_users: _users,
    allowed_teams: _teams,
    archived_author: _author,
    attached_quiz: _quiz,
    approval: _approval,
    ...guide
  } = facts;
  return guide;
}

/** The revision that an order is worked by now; undefined in orders stored before this was recorded. */
export function revisionInForce({
  revisions = [],
}: Pick<EntryFacts, 'revisions'>): RevisionDecision | undefined {
  return revisions.findLast(({ decision }) => decision !== 'keep');
}

/**
 * Whether two revisions say the same to a worker: the same text, and the same forms.
 *
 * - WORK-REVISION-4 A version with the same text, such as one that was only published, and the same forms is no change.
 */
export function isSameRevision(one: WorkedRevision, other: WorkedRevision): boolean {
  const isSameText =
    one.counted === undefined || other.counted === undefined
      ? one.guide_revisionid === other.guide_revisionid
      : one.counted.number === other.counted.number;
  return isSameText && one.form_revisionid === other.form_revisionid;
}

/**
 * Whether the person has not decided about the present revision yet: it is neither in force nor the last one kept out. An
 * order that was planned for a release asks nothing (PLANNED-11).
 */
export function isUndecided(
  { revisions = [], release }: Pick<EntryFacts, 'revisions' | 'release'>,
  present: WorkedRevision,
): boolean {
  const last = revisions.at(-1);
  const inForce = revisionInForce({ revisions });
  return (
    release === undefined &&
    last !== undefined &&
    inForce !== undefined &&
    !isSameRevision(last, present) &&
    !isSameRevision(inForce, present)
  );
}
