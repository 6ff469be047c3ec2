import { temporaryFieldGuid, type FieldEdit, type FormEdit } from '#shared/api/step-forms.ts';
import { conflict, invalid, Problem, type FieldError } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { formField, type FormField, type StepForm } from '#shared/model/step-form.ts';
import { settleForm } from '#shared/rules/form-edit.ts';
import type { FieldContent } from '#shared/rules/form-fields.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import { nextNumber } from '#server/storage/feed.ts';
import type { Db } from '#server/storage/tables.ts';

import { endWithForm, followForm } from '../approvals/gate.ts';
import { followGuide } from '../work-log/versions.ts';
import { findForm, storeForm } from './store.ts';

/** The `form_revisionid` of a caller who saw that the step has no form. */
const noForm = 0;

/**
 * Saves the form of a step. Fields keep their guid, and unchanged fields and forms keep their revision. A changed form
 * voids an open approval request of the guide, and signatures for the old form no longer apply (APPROVAL-10,
 * APPROVAL-18). Throws 422 for invalid fields, and 409 with the current form if the caller saw another one.
 *
 * - STEPFORM-2 `form_revisionid` 0 says that the step had no form. If it has one now, the answer is 409, so that a device merges
 *   the two first forms of a step.
 */
export async function saveForm(
  ctx: Context,
  guide: GuideFacts,
  stepid: number,
  edit: FormEdit,
): Promise<StepForm> {
  const current = await findForm(ctx.db, stepid);
  const known = await latestFields(ctx.db, stepid);
  await mustKnowTeams(ctx.db, edit.fields, known);
  const contents = settleFields(edit.fields, known);
  const seen = edit.form_revisionid ?? undefined;
  if (current === undefined && seen !== undefined && seen !== noForm)
    throw invalid('form_revisionid', 'This step has no form yet');
  if (current !== undefined && seen === undefined && !ctx.services.site.compatibility)
    throw invalid('form_revisionid', 'Name the form_revisionid of the current form');
  if (
    current !== undefined &&
    !(seen === undefined ? sawFields(current, edit.fields) : seen === current.form_revisionid)
  )
    throw conflict(current);
  const fields: FormField[] = [];
  for (const [index, content] of contents.entries()) {
    fields.push(await nextField(ctx, known.get(edit.fields[index]?.field_guid ?? ''), content));
  }
  if (current !== undefined && sameValue(current.fields, fields)) return current;
  const form: StepForm = {
    form_revisionid: await nextNumber(ctx.db, 'form_revision'),
    stepid,
    guideid: guide.guideid,
    fields,
  };
  const facts = await endWithForm(ctx, guide);
  await storeForm(ctx, form, guideAudience(facts));
  await followGuide(ctx, facts);
  await followForm(ctx, facts);
  return form;
}

/**
 * Throws 422 for a team of second persons that does not exist, because nobody could confirm (COSIGN-1). A team that the field
 * had already is not checked, so that its deletion refuses no other change.
 */
async function mustKnowTeams(
  db: Db,
  edits: readonly FieldEdit[],
  before: ReadonlyMap<string, FormField>,
): Promise<void> {
  const named = edits.flatMap(({ label, field_guid, second_person_teams }, index) => {
    const kept = before.get(field_guid)?.second_person_teams ?? [];
    const added = (second_person_teams ?? []).filter((teamid) => !kept.includes(teamid));
    return added.map((teamid) => ({ label, index, teamid }));
  });
  if (named.length === 0) return;
  const ids = named.map(({ teamid }) => teamid);
  const rows = await db.selectFrom('teams').select('teamid').where('teamid', 'in', ids).execute();
  const errors: FieldError[] = named
    .filter(({ teamid }) => !rows.some((row) => row.teamid === teamid))
    .map(({ label, index, teamid }) => ({
      field: 'fields',
      message: `${label}: there is no team ${teamid}`,
      index,
    }));
  if (errors.length > 0) throw new Problem('invalid', errors[0]?.message ?? 'Validation failed', { errors });
}

/**
 * Whether a save without a form revision has seen the current form, as with the vendor's editor (API facts 10): every
 * field that stays has its current revision. A save with new fields only proves nothing.
 */
function sawFields(current: StepForm, edits: FieldEdit[]): boolean {
  const revisions = new Map(current.fields.map((field) => [field.field_guid, field.field_revisionid]));
  const kept = edits.filter((edit) => edit.field_guid !== temporaryFieldGuid);
  return (
    (kept.length > 0 || current.fields.length === 0) &&
    kept.every(
      (edit) => edit.field_revisionid != null && edit.field_revisionid === revisions.get(edit.field_guid),
    )
  );
}

/** The newest revision of every current and earlier field of a step's form, by guid. */
async function latestFields(db: Db, stepid: number): Promise<Map<string, FormField>> {
  const rows = await db
    .selectFrom('step_form_fields')
    .select(['field_guid', 'body'])
    .where('stepid', '=', stepid)
    .orderBy('field_revisionid')
    .execute();
  return new Map(rows.map((row) => [row.field_guid, formField.parse(JSON.parse(row.body))]));
}

function settleFields(edits: FieldEdit[], known: ReadonlyMap<string, FormField>): FieldContent[] {
  const errors: FieldError[] = [];
  const settled = settleForm(edits, known, errors);
  if (errors.length > 0) throw new Problem('invalid', errors[0]?.message ?? 'Validation failed', { errors });
  return settled;
}

async function nextField(
  ctx: Context,
  old: FormField | undefined,
  content: FieldContent,
): Promise<FormField> {
  const { field_revisionid, field_guid } = old ?? {};
  if (old !== undefined && sameValue(old, { field_revisionid, field_guid, ...content })) return old;
  return {
    field_revisionid: await nextNumber(ctx.db, 'field_revision'),
    field_guid: field_guid ?? Buffer.from(ctx.services.randomBytes(9)).toString('hex'),
    ...content,
  };
}
