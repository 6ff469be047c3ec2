import type { Selectable } from 'kysely';

import type { SignedForm } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { isAbout } from '#shared/rules/approvals.ts';
import { chunks } from '#server/storage/chunks.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** What a form says, as it is signed with its guide. */
export type FormContent = Pick<StepForm, 'stepid' | 'form_revisionid' | 'fields'>;

/** The forms that the steps of a version have now, in the order of the steps. */
export async function formsOf(db: Db, { steps }: Pick<GuideFacts, 'steps'>): Promise<SignedForm[]> {
  const found = new Map<number, SignedForm>();
  for (const stepids of chunks(steps.map(({ stepid }) => stepid))) {
    const rows = await db
      .selectFrom('step_forms')
      .select(['stepid', 'form_revisionid'])
      .where('stepid', 'in', stepids)
      .execute();
    for (const row of rows) found.set(row.stepid, row);
  }
  return steps.flatMap(({ stepid }) => found.get(stepid) ?? []);
}

/** The forms that a request is about; null: it was raised before forms were part of what is signed. */
export function signedFormsOf({
  forms,
}: Pick<Selectable<Tables['approval_requests']>, 'forms'>): SignedForm[] | null {
  return forms === null ? null : (JSON.parse(forms) as SignedForm[]);
}

/** The forms that a version was released with; null: it was not, or before they were kept. */
export async function releasedForms(
  db: Db,
  { guideid, guide_revisionid }: Pick<GuideFacts, 'guideid' | 'guide_revisionid'>,
): Promise<SignedForm[] | null> {
  const row = await db
    .selectFrom('guide_releases')
    .select('forms')
    .where('guideid', '=', guideid)
    .where('guide_revisionid', '=', guide_revisionid)
    .executeTakeFirst();
  return row == null ? null : signedFormsOf(row);
}

/** What the forms of a version say where it is shown as it was released; null: nobody knows which it had. */
export async function formsAsReleased(db: Db, version: GuideFacts): Promise<StepForm[] | null> {
  const signed = version.approval?.requests.findLast((one) => isAbout(one, version))?.forms;
  const forms = (await releasedForms(db, version)) ?? signed;
  const contents = forms === undefined ? null : await contentOfForms(db, forms);
  return contents?.map((content) => ({ ...content, guideid: version.guideid })) ?? null;
}

/** Whether readers of the guide get this version now. */
export async function isVersionOfNow(
  db: Db,
  { guideid, guide_revisionid }: Pick<GuideFacts, 'guideid' | 'guide_revisionid'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('guides')
    .select('guide_revisionid')
    .where('guideid', '=', guideid)
    .executeTakeFirst();
  return row?.guide_revisionid === guide_revisionid;
}

/**
 * The forms that a version shows: of the version of now those of now, of an earlier one those it was released or signed
 * with.
 */
export async function formsOfVersion(db: Db, version: GuideFacts): Promise<StepForm[]> {
  if (!(await isVersionOfNow(db, version))) return (await formsAsReleased(db, version)) ?? [];
  const contents = (await contentOfForms(db, await formsOf(db, version))) ?? [];
  return contents.map((content) => ({ ...content, guideid: version.guideid }));
}

/** What forms say, in their order; null when one of them is not there. */
export async function contentOfForms(db: Db, forms: readonly SignedForm[]): Promise<FormContent[] | null> {
  const contents: FormContent[] = [];
  for (const { stepid, form_revisionid } of forms) {
    const row = await db
      .selectFrom('step_form_revisions')
      .select('body')
      .where('form_revisionid', '=', form_revisionid)
      .where('stepid', '=', stepid)
      .executeTakeFirst();
    if (row === undefined) return null;
    const { fields } = JSON.parse(row.body) as StepForm;
    contents.push({ stepid, form_revisionid, fields });
  }
  return contents;
}
