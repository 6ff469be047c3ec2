import type { GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { difficultyName, formatDate, formatEstimate, formatTime } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';

import { fieldName } from './activity-words.ts';
import type { ConflictGroup } from './decision.ts';

/** The place of a conflict: "Step 2, line 1", "Step 2, pictures", "Summary", "Facts: Voltage". */
export function placeWords({ place: { field, element, step, line } }: GuideConflictView): string {
  const { places } = text.conflict;
  if (step !== undefined && line !== undefined)
    return field === undefined || field === 'text_raw'
      ? places.line(step, line)
      : `${places.line(step, line)}, ${fieldName(field)}`;
  if (step !== undefined)
    return field === undefined ? places.step(step) : places.field(step, fieldName(field));
  if (field === undefined) return places.somewhere;
  const name = element === undefined ? fieldName(field) : `${fieldName(field)}: ${element}`;
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** The name of a group: "Step 4 · Remove the cover", or "About this guide". */
export function groupWords({ step, ofPage }: ConflictGroup): string {
  return step === null
    ? ofPage
      ? text.conflict.pageItself
      : text.conflict.guideItself
    : text.conflict.stepName(step.number, step.title);
}

/** The fields whose values are times in seconds. */
const timeFields = new Set(['time_required_min', 'time_required_max', 'time_estimate']);

/** The fields whose values are pictures. */
const pictureFields = new Set(['image', 'media']);

/**
 * A value of a conflict as screens write it elsewhere.
 *
 * - DECIDE-9 A decision shows times and difficulties in the words in which they were chosen, not as they are stored.
 */
export function valueWords({ kind, place: { field } }: GuideConflictView, value: string): string {
  if (kind !== 'value' || value === '') return value;
  if (field === 'difficulty') return difficultyName(value);
  if (field !== undefined && timeFields.has(field)) return formatEstimate(Number(value));
  return field !== undefined && pictureFields.has(field)
    ? value
        .split(', ')
        .map((picture) => refusedWords(picture))
        .join(', ')
    : value;
}

/** What one side wrote: a text by its authors, a value in words. */
export function spansInWords(conflict: GuideConflictView, side: 'mine' | 'theirs'): readonly TextSpan[] {
  const spans = conflict[side];
  if (conflict.kind !== 'value') return spans;
  const value = spans.map(({ text: part }) => part).join('');
  const words = valueWords(conflict, value);
  return words === value ? spans : [{ text: words, by: side }];
}

/** The id of a group in the document. */
export function groupId({ id }: ConflictGroup): string {
  return `conflicts-${id}`;
}

/** Describes a merge fact such as `text:step 2 line 1` or `changed:title`. */
export function mergedWords(fact: string): string {
  const [kind = '', where = ''] = fact.split(':');
  const place = mergedPlace(where);
  const what = text.conflict.mergeKinds[kind] ?? kind;
  return `${place.charAt(0).toUpperCase()}${place.slice(1)}: ${what}`;
}

function mergedPlace(where: string): string {
  const { places } = text.conflict;
  const [, step, line] = /^step (\d+)(?: line (\d+))?$/.exec(where) ?? [];
  if (step === undefined) return fieldName(where);
  return line === undefined ? places.step(Number(step)) : places.line(Number(step), Number(line));
}

/** The time of day, with the date if it was not today. */
export function momentWords(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  return isToday ? formatTime(at) : formatDate(at);
}

/** Address of the conflict screen for an entry with an id such as `conflict:{what}`. */
export function conflictAddress({ id }: { id: string }): string {
  return `/sync/conflicts/${id.slice('conflict:'.length)}`;
}
