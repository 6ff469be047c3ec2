import { z } from 'zod';

import { stepForm, type FormField, type StepForm } from '#shared/model/step-form.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guideAudience } from '#server/features/audiences.ts';
import type { Context } from '#server/core/context.ts';
import type { ImportedIds } from '#server/features/guides/import/ids.ts';
import { endWithForm, followForm } from '#server/features/approvals/gate.ts';
import { followGuide } from '#server/features/work-log/versions.ts';
import { findField, findForm, storeForm } from '#server/features/step-forms/store.ts';
import { findDocument, nextNumber } from '#server/storage/feed.ts';

import { items, type GuideItem } from './answers.ts';
import { findMirrored, fingerprint, outcomeOf, rememberMirrored } from './mirrored.ts';
import { forEach, write, type Run } from './run.ts';
import { NotHad } from './source.ts';

/** A form whose fields have at least what every field has; what else it has is kept if it is known here. */
export const formAnswer = z.object({ ...stepForm.shape, fields: z.array(z.unknown()) });

/** Copies the current forms of the steps of guides. Values of the work log refer to their fields. */
export async function mirrorForms(run: Run, guides: readonly GuideItem[]): Promise<void> {
  if (run.dryRun) return;
  let isRefused = false;
  await forEach(
    run,
    'forms',
    guides,
    ({ guideid }) => `forms of guide ${guideid}`,
    async ({ guideid }) => {
      if (isRefused) return;
      const forms = await run.source.read(`/step_forms/guideid/${guideid}`, items).catch((error: unknown) => {
        if (!(error instanceof NotHad) || (error.status !== 401 && error.status !== 403)) throw error;
        if (!isRefused) run.report.lack('forms', 'the forms of steps', error.message);
        isRefused = true;
        return [];
      });
      for (const value of forms) {
        const form = formAnswer.parse(value);
        // Those of prerequisites come with their own guide.
        if (form.guideid === guideid) await mirrorForm(run, form);
      }
    },
  );
}

async function mirrorForm(run: Run, answer: z.output<typeof formAnswer>): Promise<void> {
  const { site, report } = run;
  const form = stepForm.safeParse(answer);
  const what = `form of step ${answer.stepid}`;
  if (!form.success)
    return report.lack('forms', what, `It is not as the API says: ${form.error.issues[0]?.message}`);
  const seen = fingerprint(form.data);
  const known = await findMirrored(run.services.storage.reader, site, 'form', answer.stepid);
  if (known?.seen === seen) return report.count('forms', 'unchanged');
  const outcome = await write(run, async (ctx, ids) => {
    const stepid = await ids.find('step', answer.stepid);
    const guideid = await ids.find('guide', answer.guideid);
    const guide = guideid === undefined ? undefined : await findDocument(ctx.db, 'guides', guideid);
    if (stepid === undefined || guide === undefined) return null;
    const before = await findForm(ctx.db, stepid);
    if ((known === undefined) !== (before === undefined)) return 'kept';
    if (before !== undefined && formHere(before) !== known?.ours) return 'kept';
    const after = await storeHere(ctx, ids, run, { form: form.data, stepid, guideid: guide.guideid, before });
    if (after !== before) {
      const facts = await endWithForm(ctx, guide);
      await storeForm(ctx, after, guideAudience(facts));
      await followGuide(ctx, facts);
      await followForm(ctx, facts);
    }
    const ours = formHere(after);
    await rememberMirrored(ctx.db, site, 'form', { source: answer.stepid, id: stepid, seen, ours });
    return outcomeOf(known, ours);
  });
  if (outcome === null) report.lack('forms', what, 'The step did not come along');
  else if (outcome === 'kept') report.keep('forms', what, 'The form was changed here');
  else report.count('forms', outcome);
}

function formHere({ form_revisionid }: StepForm): string {
  return String(form_revisionid);
}

/** The form with the numbers of this site. Fields that did not change keep theirs. */
async function storeHere(
  ctx: Context,
  ids: ImportedIds,
  run: Run,
  {
    form,
    stepid,
    guideid,
    before,
  }: { form: StepForm; stepid: number; guideid: number; before: StepForm | undefined },
): Promise<StepForm> {
  const fields: FormField[] = [];
  for (const field of form.fields) {
    const teams = await ids.known('team', field.second_person_teams ?? []);
    const placed = {
      ...field,
      ...(field.second_person_teams === undefined ? {} : { second_person_teams: [...teams.values()] }),
    };
    fields.push({ ...placed, field_revisionid: await fieldHere(ctx, ids, run, field.field_revisionid) });
  }
  if (before !== undefined && sameValue(before.fields, fields)) return before;
  const taken = await ctx.db
    .selectFrom('step_form_revisions')
    .select('stepid')
    .where('form_revisionid', '=', form.form_revisionid)
    .executeTakeFirst();
  const keeps = run.ids === 'keep' && taken === undefined;
  return {
    form_revisionid: keeps ? form.form_revisionid : await nextNumber(ctx.db, 'form_revision'),
    stepid,
    guideid,
    fields,
  };
}

/** The number of a revision of a field here. */
async function fieldHere(ctx: Context, ids: ImportedIds, run: Run, source: number): Promise<number> {
  const known = await ids.find('field', source);
  if (known !== undefined) return known;
  const isFree = run.ids === 'keep' && (await findField(ctx.db, source)) === undefined;
  const id = isFree ? source : await nextNumber(ctx.db, 'field_revision');
  await ids.remember('field', source, id);
  return id;
}
