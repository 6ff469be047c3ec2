import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits, withUnit } from '#desktop/renderer/text/format.ts';
import type { EntryEventType } from '#shared/model/work-log.ts';
import type { WorkRecord } from '#shared/model/work-record.ts';

type Value = WorkRecord['values'][number];

/** A value of a record in words. */
export function valueWords({ value, field_type, unit = '', failed, more_photos = [] }: Value): string {
  if (field_type === 'Checkbox') {
    if (failed === true) return text.player.checkFailed;
    return value === '1' ? text.workOrders.yes : text.workOrders.no;
  }
  if (value === '') return text.workOrders.emptyValue;
  if (more_photos.length > 0) return text.workOrders.photoCount(more_photos.length + 1);
  if (field_type === 'Image' || field_type === 'Video' || field_type === 'Document')
    return text.workOrders.files[field_type];
  return withUnit(field_type === 'Numeric Input' ? formatDigits(value) : value, unit);
}

/** What happened to an order, in words; '' for what is not part of its history. */
export function moveWords(type: EntryEventType): string {
  return type === 'step' || type === 'data' ? '' : text.workOrders.moves[type];
}

/** The name of a person in a record. */
export function nameIn({ people }: Pick<WorkRecord, 'people'>, userid: number): string {
  return people.find((one) => one.userid === userid)?.name ?? '';
}
