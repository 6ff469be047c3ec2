import { z } from 'zod';

import { fieldType, numericLimits, stepForm } from '#shared/model/step-form.ts';

import { expressionLimits } from '#shared/rules/expressions.ts';

import { mostPhotos } from './work-log.ts';
import { get, idText, post } from './endpoint.ts';

const stepId = z.strictObject({ stepid: idText });

/** The largest target or tolerance. Larger numbers would not be exact. */
const largestNumber = 1e12;

/** The `field_guid` of a new field. */
export const temporaryFieldGuid = 'temporary-id';

/**
 * A field in a request body (as on live servers). `field_guid` `temporary-id` or absent: a new field; else the field
 * keeps its identity. `title`: an older name of `field_type`. A Checkbox may have `placeholder: true`. Extensions (FIELD-1):
 * absent keeps what the field has, null or false removes it.
 */
export const fieldEdit = z.strictObject({
  field_guid: z.string().min(1).max(64).default(temporaryFieldGuid),
  field_revisionid: z.int().nullable().optional(),
  field_type: fieldType.optional(),
  title: fieldType.optional(),
  label: z.string().trim().min(1).max(500),
  placeholder: z
    .union([z.string().max(500), z.boolean()])
    .nullable()
    .optional(),
  textarea: z.string().max(10_000).nullable().optional(),
  required: z.boolean().optional(),
  options: z.union([z.array(z.string().max(500)).max(200), numericLimits]).optional(),
  key: z
    .string()
    .regex(/^[A-Za-z]\w{0,39}$/, 'A key is a letter, followed by up to 39 letters, digits or underscores')
    .nullable()
    .optional(),
  unit: z.string().trim().min(1).max(20).nullable().optional(),
  target: z.number().min(-largestNumber).max(largestNumber).nullable().optional(),
  tolerance: z.number().min(0).max(largestNumber).nullable().optional(),
  computed: z.string().trim().min(1).max(expressionLimits.characters).nullable().optional(),
  reason_when_failed: z.boolean().nullable().optional(),
  max_photos: z.int().min(2).max(mostPhotos).nullable().optional(),
  format: z.string().max(40).nullable().optional(),
  pattern: z.string().min(1).max(200).nullable().optional(),
  second_person: z.string().max(40).nullable().optional(),
  second_person_teams: z.array(z.int().positive()).max(50).nullable().optional(),
});
export type FieldEdit = z.output<typeof fieldEdit>;

/**
 * Body of POST /step_forms/{stepid} (not in the spec; as the vendor's editor sends it): all fields in display order.
 * `form_revisionid`: the form that the caller saw, required if the step has a form, 0 if it had none; 409 if it is not the
 * current one.
 * With the site setting `compatibility` it may be left out if the fields that stay name their current
 * `field_revisionid`, else 409.
 */
export const formEdit = z.strictObject({
  fields: z.array(fieldEdit).max(100),
  form_revisionid: z.int().nullable().optional(),
});
export type FormEdit = z.output<typeof formEdit>;

/** Forms of steps. Answers are null for a step without a form (not in the spec; what the vendor's editor reads). */
export const stepForms = {
  ofStep: get('/step_forms/stepid/{stepid}', {
    lasts: 'until-written',
    summary: 'Read the form of a step',
    access: 'public',
    params: stepId,
    result: stepForm.nullable(),
  }),
  ofFormRevision: get('/step_forms/form_revisionid/{form_revisionid}', {
    lasts: 'until-written',
    summary: 'Read a revision of a form',
    access: 'public',
    params: z.strictObject({ form_revisionid: idText }),
    result: stepForm,
  }),
  ofFieldRevision: get('/step_forms/field_revisionid/{field_revisionid}', {
    lasts: 'until-written',
    summary: 'Read the form that holds a revision of a field',
    access: 'public',
    params: z.strictObject({ field_revisionid: idText }),
    result: stepForm,
  }),
  ofGuide: get('/step_forms/guideid/{guideid}', {
    lasts: 'until-written',
    summary: 'List the forms of a guide and its prerequisites',
    access: 'public',
    params: z.strictObject({ guideid: idText }),
    result: z.array(stepForm),
  }),
  save: post('/step_forms/{stepid}', {
    summary: 'Save the form of a step',
    params: stepId,
    query: z.object({ form_revisionid: idText.optional() }),
    body: formEdit,
    result: stepForm,
    conflict: stepForm,
    offline: 'form-save',
  }),
};
