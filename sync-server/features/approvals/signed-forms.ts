import type { Selectable } from 'kysely';

import type { SignedForm } from '#shared/model/approval.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { isAbout } from '#shared/rules/approvals.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

/** The part of a form that is signed with its guide. */
export type FormContent = Pick<StepForm, 'stepid' | 'form_revisionid' | 'fields'>;

/**
 * The current forms of the steps of a version, in the order of the steps.
 *
 * - APPROVAL-18 The forms of the steps are signed with the version. Once another form is saved, the current version is
 *   no longer approved, as after any edit: its readable forms say so and show no signatures, on devices too, until it
 *   is requested and signed again. Earlier versions keep their forms.
 */
export async function formsOf(db: Db, { steps }: Pick<GuideFacts, 'steps'>): Promise<SignedForm[]> {
  const rows = await presentForms(
    db,
    steps.map(({ stepid }) => stepid),
    {},
  );
  const found = new Map(rows.map((row) => [row.stepid, row]));
  return steps.flatMap(({ stepid }) => found.get(stepid) ?? []);
}

const presentForms = preparedList<Record<never, never>, number, SignedForm>((db, stepids) =>
  db.selectFrom('step_forms').select(['stepid', 'form_revisionid']).where('stepid', 'in', stepids),
);

/** The forms that a request is about; null if the request is older than the signing of forms. */
export function signedFormsOf({
  forms,
}: Pick<Selectable<Tables['approval_requests']>, 'forms'>): SignedForm[] | null {
  return forms === null ? null : (JSON.parse(forms) as SignedForm[]);
}

/**
 * The forms that a version was released with; null if it was not released, or before forms were stored with releases.
 *
 * - APPROVAL-19 A release keeps the forms that its steps had. Readers of a prerequisite in its released version get
 *   these forms, on a device, in documents and from `/step_forms/guideid`, even if the forms changed since. They are
 *   signed with the guides that pin the release.
 */
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

/** The forms of a version as it was released or signed, with their content; null if they were not recorded. */
export async function formsAsReleased(db: Db, version: GuideFacts): Promise<StepForm[] | null> {
  const signed = version.approval?.requests.findLast((one) => isAbout(one, version))?.forms;
  const forms = (await releasedForms(db, version)) ?? signed;
  const contents = forms === undefined ? null : await contentOfForms(db, forms);
  return contents?.map((content) => ({ ...content, guideid: version.guideid })) ?? null;
}

/** Whether this is the current version of the guide. */
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
 * The forms that a version shows: for the current version the current forms, for an earlier one the forms that it was
 * released or signed with.
 */
export async function formsOfVersion(db: Db, version: GuideFacts): Promise<StepForm[]> {
  if (!(await isVersionOfNow(db, version))) return (await formsAsReleased(db, version)) ?? [];
  const contents = (await contentOfForms(db, await formsOf(db, version))) ?? [];
  return contents.map((content) => ({ ...content, guideid: version.guideid }));
}

/** The content of forms, in their order; null if one of them does not exist. */
export async function contentOfForms(db: Db, forms: readonly SignedForm[]): Promise<FormContent[] | null> {
  const contents: FormContent[] = [];
  for (const { stepid, form_revisionid } of forms) {
    const [row] = await formRevision(db, { stepid, form_revisionid });
    if (row === undefined) return null;
    const { fields } = JSON.parse(row.body) as StepForm;
    contents.push({ stepid, form_revisionid, fields });
  }
  return contents;
}

const formRevision = prepared<SignedForm, { body: string }>((db, value) =>
  db
    .selectFrom('step_form_revisions')
    .select('body')
    .where('form_revisionid', '=', value('form_revisionid'))
    .where('stepid', '=', value('stepid')),
);
