import { notFound } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { formField, stepForm, type FormField, type StepForm } from '#shared/model/step-form.ts';
import type { Context } from '#server/core/context.ts';
import { findDocuments, raiseNumber, type Principal } from '#server/storage/feed.ts';
import { prepared, preparedList } from '#server/storage/prepared.ts';
import type { Db, Tables } from '#server/storage/tables.ts';

import { formsAsReleased } from '../approvals/signed-forms.ts';
import { findVisibleGuide, mustSeeGuide } from '../guides/policy.ts';
import { pinsInForce, visiblePrerequisites } from '../guides/released.ts';

/** The current form of a step. */
export async function findForm(db: Db, stepid: number): Promise<StepForm | undefined> {
  const [current] = await presentForm(db, { stepid });
  const [row] = current === undefined ? [] : await formRevision(db, current);
  return row === undefined ? undefined : parseForm(row.body);
}

/** Two statements, because SQLite would plan a join again for each step. */
const presentForm = prepared<{ stepid: number }, { form_revisionid: number }>((db, value) =>
  db.selectFrom('step_forms').select('form_revisionid').where('stepid', '=', value('stepid')),
);

const formRevision = prepared<{ form_revisionid: number }, { body: string }>((db, value) =>
  db.selectFrom('step_form_revisions').select('body').where('form_revisionid', '=', value('form_revisionid')),
);

function parseForm(body: string): StepForm {
  return stepForm.parse(JSON.parse(body));
}

/** The current form of a step, for a replay. */
export async function representForm(ctx: Context, stepid: number): Promise<StepForm> {
  const form = await findForm(ctx.db, stepid);
  if (form === undefined) throw notFound('Step form');
  await mustSeeGuide(ctx, form.guideid);
  return form;
}

/** A revision of a form; throws 404 if its guide may not be seen. */
export async function readFormRevision(ctx: Context, form_revisionid: number): Promise<StepForm> {
  const [row] = await formRevision(ctx.db, { form_revisionid });
  return mustSeeForm(ctx, row === undefined ? undefined : parseForm(row.body));
}

async function mustSeeForm(ctx: Context, form: StepForm | undefined): Promise<StepForm> {
  if (form === undefined || (await findVisibleGuide(ctx, form.guideid)) === undefined)
    throw notFound('Step form');
  return form;
}

/** The newest revision of a form with this revision of a field; throws 404 if its guide may not be seen. */
export async function readFormOfField(ctx: Context, field_revisionid: number): Promise<StepForm> {
  const field = await findField(ctx.db, field_revisionid);
  if (field === undefined) throw notFound('Step form');
  return mustSeeForm(ctx, await findFormWith(ctx.db, field.stepid, [field_revisionid]));
}

/** The newest revision of a step's form that has all of these revisions of fields. */
export async function findFormWith(
  db: Db,
  stepid: number,
  field_revisionids: readonly number[],
): Promise<StepForm | undefined> {
  const hasAll = ({ fields }: StepForm): boolean =>
    field_revisionids.every((id) => fields.some((one) => one.field_revisionid === id));
  const current = await findForm(db, stepid);
  if (current !== undefined && hasAll(current)) return current;
  const rows = await db
    .selectFrom('step_form_revisions')
    .select('body')
    .where('stepid', '=', stepid)
    .orderBy('form_revisionid', 'desc')
    .execute();
  return rows.map((row) => parseForm(row.body)).find(hasAll);
}

/** A revision of a field, with its step. */
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

/** The forms of a guide and of those prerequisites that the viewer may see, in the versions that the guide shows. */
export async function formsOfGuide(ctx: Context, guide: GuideFacts): Promise<StepForm[]> {
  const pinned = new Set(pinsInForce(ctx, guide).map(({ guideid }) => guideid));
  const found = await formsOfSteps(ctx, guide);
  for (const facts of await visiblePrerequisites(ctx, guide)) {
    const released = pinned.has(facts.guideid) ? await formsAsReleased(ctx.db, facts) : null;
    found.push(...(released ?? (await formsOfSteps(ctx, facts))));
  }
  return [...new Map(found.map((form) => [form.stepid, form])).values()];
}

function formsOfSteps(ctx: Context, { steps }: GuideFacts): Promise<StepForm[]> {
  return findDocuments(
    ctx.db,
    'stepForms',
    steps.map(({ stepid }) => stepid),
  );
}

/** The highest form revision of these guides; 0 if they have no forms. */
export async function maxFormRevision(db: Db, guideids: number[]): Promise<number> {
  const rows = await highestForms(db, guideids, {});
  return Math.max(0, ...rows.map(({ max }) => max ?? 0));
}

const highestForms = preparedList<Record<never, never>, number, { max: number | null }>((db, guideids) =>
  db
    .selectFrom('step_forms')
    .select((eb) => eb.fn.max('form_revisionid').as('max'))
    .where('guideid', 'in', guideids),
);

/** Stores a form, which has its revision already, as the current form of its step. */
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
