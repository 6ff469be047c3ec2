import { map, of, type Observable } from 'rxjs';

import type { WorkedRevision } from '#shared/model/revision.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { highestForm, versionText, workedRevisionOf } from '#shared/rules/work-revision.ts';

import type { WorkedVersion } from '#desktop/engine/outbox/kinds/work-orders.ts';
import type { LocalGuide } from './overlay/guide.ts';
import type { Sources } from './sources.ts';

/** The forms of the steps of a guide, as this device shows them. */
export function formsOf(
  { core }: Pick<Sources, 'core'>,
  { facts, forms }: Pick<LocalGuide, 'facts' | 'forms'>,
): Observable<readonly StepForm[]> {
  if (facts === null) return of([]);
  if (forms !== undefined) return of(forms);
  return core.mirror
    .where('stepForms', 'guideid', facts.guideid)
    .pipe(map((records) => records.map((record) => record.facts)));
}

/**
 * The revision of a guide that this device shows. With changes of the person that wait, it is marked `unsaved`: the server
 * has not numbered it. A guide that is on this device only has `guide_revisionid` 0.
 */
export function revisionShown(
  { facts, content }: Pick<LocalGuide, 'facts' | 'content'>,
  forms: readonly StepForm[],
): WorkedRevision {
  if (facts === null) return { guide_revisionid: 0, form_revisionid: 0, unsaved: true };
  const revision = workedRevisionOf(facts, highestForm(facts, forms), Infinity);
  return sameValue(contentOf(facts), content) ? revision : { ...revision, unsaved: true };
}

/** What an order on a guide is bound to: the revision, and its text, if that may leave the device with another revision. */
export interface Bound {
  revision: WorkedRevision;
  /** Null while the person's own changes are not numbered: they are shown as they are. */
  version: WorkedVersion | null;
}

/** The revision of a guide that this device shows, with its text. */
export function boundTo(sources: Pick<Sources, 'core'>, local: LocalGuide): Observable<Bound> {
  return formsOf(sources, local).pipe(
    map((forms) => {
      const revision = revisionShown(local, forms);
      if (local.facts === null || revision.unsaved === true) return { revision, version: null };
      const steps = new Set(local.facts.steps.map(({ stepid }) => stepid));
      const own = forms.filter(({ stepid }) => steps.has(stepid));
      return { revision, version: { guide: versionText(local.facts), forms: own } };
    }),
  );
}
