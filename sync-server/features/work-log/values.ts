import type { StepData } from '#shared/api/work-log.ts';
import { Problem, type FieldError } from '#shared/api/problem.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { checkFieldValue, workValueOf } from '#shared/rules/field-value.ts';
import type { Context } from '#server/core/context.ts';
import { findDocument } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import { isInManager } from '../media/manager.ts';
import { findImageRef } from '../media/store.ts';
import { findField } from '../step-forms/store.ts';

interface ReadValues {
  values: WorkDataValue[];
  images: ImageRef[];
  /** Revision of the newest form that the values belong to; 0 if there are none. */
  maxFormRevisionid: number;
}

const mediaKinds = { Image: 'image', Video: 'video', Document: 'document' } as const;

/**
 * The values of a call in stored form. Every revision of a field of the guide or its prerequisites is accepted. A media
 * value must be in the caller's media manager or in the entry already. Throws 422 with all errors.
 */
export async function readValues(
  ctx: Context,
  entry: EntryFacts,
  fields: StepData['fields'],
): Promise<ReadValues> {
  const fieldOf = await fieldsOf(ctx, entry);
  const errors: FieldError[] = [];
  const read: ReadValues = { values: [], images: [], maxFormRevisionid: 0 };
  for (const [key, given] of Object.entries(fields)) {
    const refuse = (message: string): number => errors.push({ field: `fields.${key}`, message });
    const found = await fieldOf(Number(key));
    if (found === undefined) {
      refuse('The guide never had this field');
      continue;
    }
    const checked = checkFieldValue(found.field, given);
    if ('message' in checked) {
      refuse(checked.message);
      continue;
    }
    const value = workValueOf(found.field, found.stepid, checked.value);
    const image = await mediaOf(ctx, entry, value);
    if (image === undefined) {
      refuse(`${value.label}: the file is not in your media manager`);
      continue;
    }
    read.values.push(value);
    if (image !== null) read.images.push(image);
    read.maxFormRevisionid = Math.max(read.maxFormRevisionid, found.form_revisionid);
  }
  if (errors.length > 0) throw new Problem('invalid', errors[0]?.message ?? 'Validation failed', { errors });
  return read;
}

/** Finds revisions of fields that the guide of an entry or its prerequisites have or had; no others. */
export async function fieldsOf(
  ctx: Context,
  entry: EntryFacts,
): Promise<(field_revisionid: number) => ReturnType<typeof findField>> {
  const guideids = await guidesOf(ctx, entry);
  return async (field_revisionid) => {
    const found = await findField(ctx.db, field_revisionid);
    return found !== undefined && guideids.has(await guideOfStep(ctx, found.stepid)) ? found : undefined;
  };
}

/** Ids of the entry's guide and of its prerequisites, now and when the work began. */
async function guidesOf(ctx: Context, entry: EntryFacts): Promise<Set<number>> {
  const { guideid, guide_revisionid } = entry;
  const present = await findDocument(ctx.db, 'guides', guideid);
  const ids = new Set([guideid, ...(present?.prerequisites ?? [])]);
  if (present?.guide_revisionid === guide_revisionid) return ids;
  const [row] = await revisionOf(ctx.db, { guideid, guide_revisionid });
  const seen = row === undefined ? undefined : (JSON.parse(row.body) as GuideFacts);
  return new Set([...ids, ...(seen?.prerequisites ?? [])]);
}

async function guideOfStep(ctx: Context, stepid: number): Promise<number> {
  const [step] = await stepRow(ctx.db, { stepid });
  return step?.guideid ?? 0;
}

const revisionOf = prepared<{ guideid: number; guide_revisionid: number }, { body: string }>((db, value) =>
  db
    .selectFrom('guide_revisions')
    .select('body')
    .where('guideid', '=', value('guideid'))
    .where('guide_revisionid', '=', value('guide_revisionid')),
);

const stepRow = prepared<{ stepid: number }, { guideid: number }>((db, value) =>
  db.selectFrom('steps').select('guideid').where('stepid', '=', value('stepid')),
);

/** The picture of a value; null if it is not a picture, undefined if the caller may not use the file. */
async function mediaOf(
  ctx: Context,
  entry: EntryFacts,
  value: WorkDataValue,
): Promise<ImageRef | null | undefined> {
  const { field_type: type } = value;
  if (value.value === '' || (type !== 'Image' && type !== 'Video' && type !== 'Document')) return null;
  const id = Number(value.value);
  const isThere = entry.events.some((event) =>
    event.data?.some((one) => one.field_type === type && one.value === value.value),
  );
  if (!isThere && !(await isInManager(ctx, mediaKinds[type], id))) return undefined;
  return type === 'Image' ? findImageRef(ctx.db, id) : null;
}
