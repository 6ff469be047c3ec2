import type { FormFieldView, PlayableGuide, StepView, WorkOrder } from '#desktop/engine/api/records.ts';
import { isEmptyValue } from '#shared/rules/field-value.ts';

/** A required field without a value. `step`: index of its step, from 0. */
export interface MissingField {
  step: number;
  field: FormFieldView;
}

/** The required fields of a step that have no value in the order. */
export function missingIn({ fields }: StepView, order: WorkOrder): FormFieldView[] {
  return fields.filter(
    (field) => field.required && isEmptyValue(field.field_type, order.values[field.field_revisionid]?.value),
  );
}

/** The required fields of a guide that have no value in the order. */
export function missingFields(guide: PlayableGuide, order: WorkOrder): MissingField[] {
  return guide.steps.flatMap((step, index) =>
    missingIn(step, order).map((field) => ({ step: index, field })),
  );
}

/** The failed checks of a guide that have no reason in the order (FIELD-3). */
export function unexplainedFailures(guide: PlayableGuide, order: WorkOrder): MissingField[] {
  return guide.steps.flatMap(({ fields }, step) =>
    fields
      .filter((field) => {
        const recorded = order.values[field.field_revisionid];
        return field.reason_when_failed === true && recorded?.isFailed === true && recorded.reason === '';
      })
      .map((field) => ({ step, field })),
  );
}
