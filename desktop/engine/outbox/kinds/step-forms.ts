import { z } from 'zod';

import { asJson } from '#shared/merge/conflict.ts';
import { mergeForm } from '#shared/merge/form.ts';
import { stepForm, type StepForm } from '#shared/model/step-form.ts';
import {
  type DesignedField,
  designedField,
  faultsOf,
  type FormBase,
  formBody,
} from '#shared/rules/form-design.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { tolerant } from '#shared/sync/tolerant.ts';

import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import { type CallKindSpec, joined, type Settled } from './kind.ts';

/** Context of a `form-save` call. */
export interface FormSave {
  guideid: string;
  base: FormBase;
  /** The form after the edit. */
  fields: DesignedField[];
  /** It was merged automatically with what somebody else had saved. */
  merged?: true;
}

/** The save in a call's context; undefined for any other call. Its schema is checked when the call is read. */
export function formSaveOf(call: OutboxCall): FormSave | undefined {
  if (call.kind !== 'form-save') return undefined;
  const { context } = call;
  return typeof context === 'object' && context !== null && 'fields' in context
    ? (context as FormSave)
    : undefined;
}

const formSave = z.union([
  z.looseObject({ fields: z.undefined().optional() }),
  z.looseObject({
    guideid: z.string(),
    base: z.looseObject({ form_revisionid: z.number(), fields: z.array(z.looseObject({})) }),
    fields: z.array(z.looseObject({ field_guid: z.string(), label: z.string() })),
  }),
]);

const readForm = tolerant(stepForm);

const contradicting =
  'Someone else changed the same fields of this form meanwhile. Both versions are kept: open the step and choose.';
const gone = 'The step of this form is no longer there. Your form is kept here.';

/** Merges a save with the server's form. Without contradictions it is sent again; otherwise the person chooses. */
function mergeSave(call: OutboxCall, form: unknown): Settled {
  const save = formSaveOf(call);
  if (form === undefined) return { action: 'park', message: gone };
  if (save === undefined) return { action: 'park', message: contradicting };
  const theirs: StepForm = readForm.parse(form);
  const their = theirs.fields.map(designedField);
  const { merged, conflicts } = mergeForm(save.base.fields.map(designedField), save.fields, their);
  const base: FormBase = { form_revisionid: theirs.form_revisionid, fields: theirs.fields };
  // Two changes that are allowed can be a form that is not, such as a value that follows from a removed one.
  if (conflicts.length > 0 || faultsOf(base, merged).length > 0)
    return { action: 'park', message: contradicting };
  if (sameValue(merged, their)) return { action: 'drop' };
  const { guideid } = save;
  return {
    action: 'resend',
    body: formBody(base, merged),
    query: {},
    context: { guideid, base, fields: merged, merged: true } satisfies FormSave,
  };
}

function isMistaken(call: OutboxCall, facts: unknown): boolean {
  const base = formSaveOf(call)?.base;
  const { form_revisionid, fields } = facts as StepForm;
  return base?.form_revisionid === form_revisionid && !sameValue(base.fields, fields);
}

/**
 * Calls that change the form of a step.
 *
 * - STEPFORM-3 Forms are designed offline. A save names the form that the person saw; if somebody else changed it meanwhile, the
 *   two are merged field by field (MERGE-95). Contradictions keep the call until the person has chosen: the newer save
 *   replaces it.
 */
export const stepFormKinds = {
  'form-save': {
    activity: 'guide',
    context: formSave,
    about: (call) => {
      const guideid = formSaveOf(call)?.guideid;
      return guideid === undefined ? null : { collection: 'guides', id: guideid };
    },
    words: (call) => {
      const save = formSaveOf(call);
      return save?.fields.flatMap((field) => {
        const old = save.base.fields.find(({ field_guid }) => field_guid === field.field_guid);
        const isOwn = old === undefined || !sameValue(designedField(old), field);
        const place = { list: 'fields', element: field.field_guid, field: 'form' };
        return isOwn ? [{ place, value: asJson(field.label) }] : [];
      });
    },
    strip: (call) => {
      const save = formSaveOf(call);
      if (save === undefined) return call;
      return { ...call, subject: '', context: { guideid: save.guideid } };
    },
    detail: (call) => `form${formSaveOf(call)?.merged === true ? ',merged' : ''}`,
    join: (last, incoming) => {
      if (last.kind !== 'form-save') return null;
      if (last.state === 'parked') return { put: [incoming], drop: [last.id], result: incoming };
      return joined(last, incoming, incoming.body);
    },
    conflict: mergeSave,
    isMistaken,
  },
} satisfies Record<string, CallKindSpec>;
