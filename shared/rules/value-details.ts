import type { FormField } from '#shared/model/step-form.ts';
import type { WorkDataValue } from '#shared/model/work-log.ts';

/**
 * What a value has besides its text. `more_photos`: ids of further pictures of an Image field, in order. `second_person`:
 * whose account the name belongs to.
 */
export type ValueDetails = Pick<WorkDataValue, 'reason' | 'more_photos' | 'second_person'>;

/** Details as a call gives them. */
export interface GivenDetails {
  reason?: string | undefined;
  more_photos?: readonly (string | number)[] | undefined;
  /** The userid of the second person that the value names. */
  second_person?: number | undefined;
}

/**
 * The details of a value after a call, or why they are refused. `before`: the value that the field had.
 *
 * - FIELD-4 An Image field with `max_photos` takes so many pictures. The first one is the value of the field, the others are
 *   in `more_photos`. A call that does not name them keeps them, also when it replaces the first picture; an empty value
 *   removes all.
 */
export function settleDetails(
  field: Pick<FormField, 'label' | 'max_photos' | 'second_person'>,
  value: string,
  given: GivenDetails,
  before: ValueDetails & Pick<WorkDataValue, 'value'> = { value: '' },
): ValueDetails | { message: string } {
  const reason = given.reason ?? (before.value === value ? before.reason : undefined);
  const photos = (given.more_photos ?? before.more_photos ?? []).map(String);
  const others = [...new Set(photos)].filter((id) => id !== value && id !== '');
  const most = field.max_photos ?? 1;
  if (given.more_photos !== undefined && others.length >= most)
    return { message: `${field.label} takes at most ${most === 1 ? '1 photo' : `${most} photos`}` };
  const kept = value === '' ? [] : others.slice(0, most - 1);
  const userid = given.second_person ?? (before.value === value ? before.second_person?.userid : undefined);
  const isNamed = field.second_person !== undefined && value !== '';
  return {
    ...(isNamed ? { second_person: userid === undefined ? {} : { userid } } : {}),
    ...(reason === undefined || reason === '' ? {} : { reason }),
    ...(kept.length === 0 ? {} : { more_photos: kept }),
  };
}
