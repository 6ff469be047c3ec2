import type { FinishBody } from '#shared/api/work-log.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import type { EntryFacts, EntryGap } from '#shared/model/work-log.ts';
import { missingFields } from '#shared/rules/field-value.ts';
import { foldEntry } from '#shared/rules/work-log.ts';
import { revisionInForce } from '#shared/rules/work-revision.ts';
import type { Context } from '#server/core/context.ts';
import { findStored } from '#server/storage/feed.ts';

import { factsOfVersion } from '../approvals/revision-hash.ts';
import { formsOfGuide } from '../step-forms/store.ts';
import { fieldsOf } from './values.ts';
import { formsAt } from './versions.ts';

/**
 * The gaps of an entry: fields without a value that are required, or that the form revision of a reason requires. So
 * reasons are kept when the step or its form changed while the device was offline. A reason may name any revision of a
 * field.
 *
 * - WORK-REVISION-3 The required fields are those of the revision that the order is worked by. Fields that a later revision
 *   added or made required count only after the order changed to it. Prerequisites count as they are now.
 */
export async function gapsOf(
  ctx: Context,
  entry: EntryFacts,
  reasons: NonNullable<FinishBody['gaps']>,
): Promise<EntryGap[]> {
  const guide = await findStored(ctx, 'guides', entry.guideid);
  const forms = guide === undefined ? [] : await formsOfEntry(ctx, entry, guide);
  const fieldOf = await fieldsOf(ctx, entry);
  const words = new Map<string, string>();
  const told = new Map<string, Pick<StepForm, 'stepid' | 'fields'>>();
  for (const { field_revisionid, reason } of reasons) {
    const found = await fieldOf(field_revisionid);
    if (found === undefined) continue;
    const { stepid, field } = found;
    words.set(field.field_guid, reason);
    told.set(field.field_guid, { stepid, fields: [field] });
  }
  const { work_data: values } = foldEntry(entry);
  const gapsIn = ({ stepid, fields }: Pick<StepForm, 'stepid' | 'fields'>): EntryGap[] =>
    missingFields(fields, values).map(({ field_revisionid, field_guid, label }) => ({
      field_revisionid,
      field_guid,
      label,
      stepid,
      reason: words.get(field_guid) ?? null,
    }));
  const gaps = forms.flatMap(gapsIn);
  for (const { field_guid } of gaps) told.delete(field_guid);
  return [...gaps, ...[...told.values()].flatMap(gapsIn)];
}

/** The forms by which the order is worked: of its revision of the guide, and of the prerequisites. */
async function formsOfEntry(ctx: Context, entry: EntryFacts, guide: GuideFacts): Promise<StepForm[]> {
  const present = await formsOfGuide(ctx, guide);
  const bound = revisionInForce(entry);
  if (bound === undefined || bound.unsaved === true) return present;
  const { guideid } = entry;
  const { guide_revisionid, form_revisionid } = bound;
  const version = await factsOfVersion(ctx.db, { guideid, guide_revisionid });
  if (version === null) return present;
  const own = await formsAt(ctx.db, version, form_revisionid);
  return [...own, ...present.filter((form) => form.guideid !== guideid)];
}
