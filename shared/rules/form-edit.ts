import { type FieldEdit, temporaryFieldGuid } from '#shared/api/step-forms.ts';
import type { FieldError } from '#shared/api/problem.ts';
import type { FormField } from '#shared/model/step-form.ts';

import { settleComputed } from './computed-values.ts';
import { settleField, type FieldContent } from './form-fields.ts';

/**
 * The fields of a form after an edit, in their stored form. Adds to `errors` what is refused. `known`: the newest revision
 * of each field that the step has or had, by guid.
 *
 * - STEPFORM-1 The device checks a form with these rules while it is designed, and the server checks it with the same ones. What
 *   the server would refuse is said beside the field, before it is sent.
 */
export function settleForm(
  edits: readonly FieldEdit[],
  known: ReadonlyMap<string, FormField>,
  errors: FieldError[],
): FieldContent[] {
  const used = new Set<string>();
  const contents = edits.flatMap((edit, index) => {
    const guid = edit.field_guid;
    const isNew = guid === temporaryFieldGuid;
    const refuse = (why: string): void => {
      errors.push({ field: 'fields', message: `${edit.label}: ${why}`, index });
    };
    if (!isNew && !known.has(guid)) refuse('the field_guid names no field of this step');
    if (!isNew && used.has(guid)) refuse('the field is named twice');
    used.add(guid);
    return settleField(edit, index, errors, known.get(guid)) ?? [];
  });
  return errors.length > 0 ? contents : settleComputed(contents, edits, errors);
}
