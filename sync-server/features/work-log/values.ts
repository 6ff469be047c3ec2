import type { StepData } from '#shared/api/work-log.ts';
import { Problem, type FieldError } from '#shared/api/problem.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { EntryFacts, WorkDataValue } from '#shared/model/work-log.ts';
import { settleDetails } from '#shared/rules/value-details.ts';
import { checkFieldValue, workValueOf } from '#shared/rules/field-value.ts';
import type { Context } from '#server/core/context.ts';
import { findStored } from '#server/storage/feed.ts';
import { prepared } from '#server/storage/prepared.ts';

import { factsOfVersion } from '../approvals/revision-hash.ts';
import { isUsable } from '../media/manager.ts';
import { findImageRef } from '../media/store.ts';
import { findField } from '../step-forms/store.ts';
import { withComputed } from './computed.ts';
import { settleSecondPersons } from './second-persons.ts';

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
  { fields, details = {} }: Pick<StepData, 'fields' | 'details'>,
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
    const isComputed = found.field.computed !== undefined;
    const checked = isComputed ? { value: '' } : checkFieldValue(found.field, given);
    if ('message' in checked) {
      refuse(checked.message);
      continue;
    }
    const before = entry.events
      .flatMap((event) => event.data ?? [])
      .findLast(({ field_revisionid }) => field_revisionid === Number(key));
    const more = settleDetails(found.field, checked.value, details[key] ?? {}, before);
    if ('message' in more) {
      refuse(more.message);
      continue;
    }
    const value = workValueOf(found.field, found.stepid, checked.value, more);
    const images = await mediaOf(ctx, entry, value);
    if (images === null) {
      refuse(`${value.label}: the file is not in your media manager`);
      continue;
    }
    read.values.push(value);
    read.images.push(...images);
    read.maxFormRevisionid = Math.max(read.maxFormRevisionid, found.form_revisionid);
  }
  for (const key of Object.keys(details))
    if (!Object.hasOwn(fields, key))
      errors.push({ field: `details.${key}`, message: 'Name the value of the field, too' });
  const computed = await withComputed(ctx.db, entry, read.values);
  const values = await settleSecondPersons(ctx, entry, computed, errors);
  if (errors.length > 0) throw new Problem('invalid', errors[0]?.message ?? 'Validation failed', { errors });
  return { ...read, values };
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
  const present = await findStored(ctx, 'guides', guideid);
  const ids = new Set([guideid, ...(present?.prerequisites ?? [])]);
  if (present?.guide_revisionid === guide_revisionid) return ids;
  const seen = await factsOfVersion(ctx.db, { guideid, guide_revisionid });
  return new Set([...ids, ...(seen?.prerequisites ?? [])]);
}

async function guideOfStep(ctx: Context, stepid: number): Promise<number> {
  const [step] = await stepRow(ctx.db, { stepid });
  return step?.guideid ?? 0;
}

const stepRow = prepared<{ stepid: number }, { guideid: number }>((db, value) =>
  db.selectFrom('steps').select('guideid').where('stepid', '=', value('stepid')),
);

/** The pictures of a value; none if it is of another type, null if the caller may not use a file. */
async function mediaOf(ctx: Context, entry: EntryFacts, value: WorkDataValue): Promise<ImageRef[] | null> {
  const { field_type: type } = value;
  if (type !== 'Image' && type !== 'Video' && type !== 'Document') return [];
  const known = new Set(
    entry.events
      .flatMap((event) => event.data ?? [])
      .filter((one) => one.field_type === type)
      .flatMap(filesOf),
  );
  const images: ImageRef[] = [];
  for (const file of filesOf(value)) {
    const id = Number(file);
    if (!known.has(file) && !(await isUsable(ctx, mediaKinds[type], id))) return null;
    const image = type === 'Image' ? await findImageRef(ctx.db, id) : undefined;
    if (type === 'Image' && image === undefined) return null;
    if (image !== undefined) images.push(image);
  }
  return images;
}

/** The ids of the files of a value of a media field. */
function filesOf({ value, more_photos = [] }: WorkDataValue): string[] {
  return [value, ...more_photos].filter((id) => id !== '');
}
