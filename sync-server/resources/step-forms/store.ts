import { temporaryFieldGuid, type FieldEdit, type FormEdit } from '#shared/api/step-forms.ts';
import { conflict, invalid, notFound, Problem, type FieldError } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { formField, stepForm, type FormField, type StepForm } from '#shared/model/step-form.ts';
import { settleField, type FieldContent } from '#shared/rules/form-fields.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/access/audience.ts';
import type { Context } from '#server/http/context.ts';
import { findDocuments, nextNumber, raiseNumber, type Principal } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { findVisibleGuide, mustSeeGuide } from '../guides/policy.ts';

/** The form of a step as it is now. */
export async function findForm(db: Db, stepid: number): Promise<StepForm | undefined> {
  const row = await db
    .selectFrom('step_forms')
    .innerJoin('step_form_revisions', 'step_form_revisions.form_revisionid', 'step_forms.form_revisionid')
    .select('body')
    .where('step_forms.stepid', '=', stepid)
    .executeTakeFirst();
  return row === undefined ? undefined : parseForm(row.body);
}

function parseForm(body: string): StepForm {
  return stepForm.parse(JSON.parse(body));
}

/** A form as it is now, for a replay. */
export async function representForm(ctx: Context, stepid: number): Promise<StepForm> {
  const form = await findForm(ctx.db, stepid);
  if (form === undefined) throw notFound('Step form');
  await mustSeeGuide(ctx, form.guideid);
  return form;
}

/** A revision of a form, if its guide may be seen. */
export async function readFormRevision(ctx: Context, form_revisionid: number): Promise<StepForm> {
  const row = await ctx.db
    .selectFrom('step_form_revisions')
    .select('body')
    .where('form_revisionid', '=', form_revisionid)
    .executeTakeFirst();
  return mustSeeForm(ctx, row === undefined ? undefined : parseForm(row.body));
}

async function mustSeeForm(ctx: Context, form: StepForm | undefined): Promise<StepForm> {
  if (form === undefined || (await findVisibleGuide(ctx, form.guideid)) === undefined)
    throw notFound('Step form');
  return form;
}

/** The newest revision of a form that holds this revision of a field, if its guide may be seen. */
export async function readFormOfField(ctx: Context, field_revisionid: number): Promise<StepForm> {
  const field = await findField(ctx.db, field_revisionid);
  if (field === undefined) throw notFound('Step form');
  const rows = await ctx.db
    .selectFrom('step_form_revisions')
    .select('body')
    .where('stepid', '=', field.stepid)
    .orderBy('form_revisionid', 'desc')
    .execute();
  const forms = rows.map((row) => parseForm(row.body));
  return mustSeeForm(
    ctx,
    forms.find((form) => form.fields.some((one) => one.field_revisionid === field_revisionid)),
  );
}

/** A revision of a field with the step it belongs to. */
export async function findField(
  db: Db,
  field_revisionid: number,
): Promise<{ stepid: number; form_revisionid: number; field: FormField } | undefined> {
  const [row] = await fieldRow(db, { field_revisionid });
  return row === undefined
    ? undefined
    : {
        stepid: row.stepid,
        form_revisionid: row.form_revisionid,
        field: formField.parse(JSON.parse(row.body)),
      };
}

const fieldRow = prepared<
  { field_revisionid: number },
  Pick<Tables['step_form_fields'], 'stepid' | 'form_revisionid' | 'body'>
>((db, value) =>
  db
    .selectFrom('step_form_fields')
    .select(['stepid', 'form_revisionid', 'body'])
    .where('field_revisionid', '=', value('field_revisionid')),
);

/** The forms of a guide and of its prerequisites that the viewer may see. */
export async function formsOfGuide(ctx: Context, guide: GuideFacts): Promise<StepForm[]> {
  const guides = [guide];
  for (const guideid of guide.prerequisites) {
    const facts = await findVisibleGuide(ctx, guideid);
    if (facts !== undefined) guides.push(facts);
  }
  const stepids = new Set(guides.flatMap((facts) => facts.steps.map((step) => step.stepid)));
  return findDocuments(ctx.db, 'stepForms', [...stepids]);
}

/** The number of the newest form of these guides; 0 without one. */
export async function maxFormRevision(db: Db, guideids: number[]): Promise<number> {
  const row = await db
    .selectFrom('step_forms')
    .select((eb) => eb.fn.max('form_revisionid').as('max'))
    .where('guideid', 'in', guideids)
    .executeTakeFirst();
  return row?.max ?? 0;
}

/**
 * Saves the form of a step: fields keep their guid, and their revision unless they changed; an unchanged form keeps its
 * revision. 422 for what the fields say, 409 with the current form when the caller saw another one.
 */
export async function saveForm(
  ctx: Context,
  guide: GuideFacts,
  stepid: number,
  edit: FormEdit,
): Promise<StepForm> {
  const current = await findForm(ctx.db, stepid);
  const known = await latestFields(ctx.db, stepid);
  const contents = settleFields(edit.fields, known);
  const seen = edit.form_revisionid ?? undefined;
  if (current === undefined && seen !== undefined)
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
  await storeForm(ctx, form, guideAudience(guide));
  return form;
}

/**
 * Whether a save that names no form shows by its fields that it saw the current one, as the vendor's editor does (API
 * facts 10): every kept field is named by its current revision. New fields alone show nothing.
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

/** The newest revision of every field that the form of a step ever had, by guid. */
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
  const used = new Set<string>();
  const contents = edits.flatMap((edit, index) => {
    const guid = edit.field_guid;
    if (guid !== temporaryFieldGuid && !known.has(guid)) {
      errors.push({
        field: 'fields',
        message: `${edit.label}: the field_guid names no field of this step`,
        index,
      });
    }
    if (guid !== temporaryFieldGuid && used.has(guid))
      errors.push({ field: 'fields', message: `${edit.label}: the field is named twice`, index });
    used.add(guid);
    return settleField(edit, index, errors) ?? [];
  });
  if (errors.length > 0) throw new Problem('invalid', errors[0]?.message ?? 'Validation failed', { errors });
  return contents;
}

async function nextField(
  ctx: Context,
  old: FormField | undefined,
  content: FieldContent,
): Promise<FormField> {
  if (old !== undefined && sameValue(old, { ...old, ...content })) return old;
  return {
    field_revisionid: await nextNumber(ctx.db, 'field_revision'),
    field_guid: old?.field_guid ?? Buffer.from(ctx.services.randomBytes(9)).toString('hex'),
    ...content,
  };
}

/** Stores a form that is numbered already (an import keeps its numbers) as the current one of its step. */
export async function storeForm(ctx: Context, form: StepForm, principals: Principal[]): Promise<void> {
  const { form_revisionid, stepid, guideid } = form;
  await raiseNumber(ctx.db, 'form_revision', form_revisionid);
  await ctx.db
    .insertInto('step_form_revisions')
    .values({
      form_revisionid,
      stepid,
      guideid,
      userid: ctx.viewer.userid,
      date: ctx.seconds,
      body: JSON.stringify(form),
    })
    .execute();
  await ctx.db
    .insertInto('step_forms')
    .values({ stepid, guideid, form_revisionid })
    .onConflict((conflicting) => conflicting.column('stepid').doUpdateSet({ guideid, form_revisionid }))
    .execute();
  for (const field of form.fields) {
    const { field_revisionid, field_guid } = field;
    await raiseNumber(ctx.db, 'field_revision', field_revisionid);
    await ctx.db
      .insertInto('step_form_fields')
      .values({ field_revisionid, field_guid, stepid, form_revisionid, body: JSON.stringify(field) })
      .onConflict((conflicting) => conflicting.column('field_revisionid').doNothing())
      .execute();
  }
  ctx.changes.put('stepForms', stepid, form, principals);
}
