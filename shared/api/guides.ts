import { z } from 'zod';

import { bullet, difficulty, guideType } from '#shared/model/guide.ts';
import { tagName } from '#shared/model/tag.ts';
import { flagRecord, guide, guideCollection, guideSummary, step } from '#shared/model/guide-record.ts';

import {
  del,
  get,
  idText,
  limit,
  offset,
  order,
  patch,
  post,
  presenceSwitch,
  put,
  querySwitch,
} from './endpoint.ts';

const guideId = z.strictObject({ guideid: idText });
const stepId = z.strictObject({ guideid: idText, stepid: idText });
const langid = z.string().optional();

/** Ids of steps in a query, separated by commas. */
const stepIds = z
  .string()
  .regex(/^\s*\d{1,15}(?:\s*,\s*\d{1,15})*\s*$/, 'Must be ids, separated by commas')
  .transform((text) => text.split(',').map(Number));

/** An id. While a call waits on a device, a temporary id may take its place. */
const id = z.int().positive();

/** A part or tool in a request body (spec, "POST /guides body"). Live servers also accept `isoptional`. */
export const supplyEdit = z.strictObject({
  name: z.string().trim().min(1).max(200),
  type: z.string().max(100).optional(),
  quantity: z.int().positive().optional(),
  notes: z.string().max(1000).nullable().optional(),
  featured: z.boolean().optional(),
  isoptional: z.boolean().optional(),
  summary: z.string().optional(),
  url: z.string().max(2000).optional(),
});

/**
 * A line in a request body. `lineid` 0 or absent: a new line, or one to be matched with the old lines by its text. `id`
 * (extension): the identity of the line, which lines of a device keep.
 */
export const lineEdit = z.strictObject({
  text: z.string(),
  bullet: bullet.default('black'),
  level: z.int().min(0).max(2).default(0),
  lineid: z.int().nullable().optional(),
  id: z.string().min(1).max(64).optional(),
});
export type LineEdit = z.output<typeof lineEdit>;

/** An image with its markers in this step (extension; as on live servers, `;null;` for none). */
const markedImage = z.strictObject({ imageid: id, markup: z.string().max(5000) });

/** Step media in a request body: up to three image ids, or the id of one object (video or embed), null for none. */
export const mediaEdit = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('image'), data: z.array(z.union([id, markedImage])).max(3) }),
  z.strictObject({ type: z.literal('object'), data: id.nullable() }),
]);

const stepFields = {
  title: z.string().max(200),
  lines: z.array(lineEdit),
  media: mediaEdit,
  time_estimate: z.int().min(0),
};

/** A new step (as on live servers): `orderby` 1 … number of steps + 1. */
export const newStep = z.strictObject({
  lines: stepFields.lines,
  orderby: z.int().min(1),
  title: stepFields.title.optional(),
  media: stepFields.media.optional(),
  time_estimate: stepFields.time_estimate.optional(),
  key: z.string().min(1).max(64).optional(),
});

/** A step edit: only the fields in the body change. */
export const stepEdit = z.strictObject({
  title: stepFields.title.optional(),
  lines: stepFields.lines.optional(),
  media: stepFields.media.optional(),
  time_estimate: stepFields.time_estimate.optional(),
});

/**
 * An element of `steps` in a guide patch (extension: a whole edit as one revision). An existing step has its `stepid`,
 * its `revisionid` and the fields that change; a new one has `key`, the temporary id from its device.
 */
export const stepInGuideEdit = z.union([
  z.strictObject({ stepid: id, revisionid: z.int(), ...stepEdit.shape }),
  z.strictObject({ key: z.string().min(1).max(64), ...stepEdit.shape }),
]);

const guideFields = {
  category: z.string().min(1),
  type: guideType,
  subject: z.string().max(200),
  title: z.string().max(250),
  summary: z.string(),
  introduction: z.string(),
  conclusion: z.string(),
  flags: z.array(z.string()),
  time_required_min: z.int().min(0),
  time_required_max: z.int().min(0),
  time_required: z.string(),
  difficulty,
  image: id.nullable(),
  prerequisites: z.array(id),
  prerequisite_releases: z.array(z.strictObject({ guideid: id, releaseid: id.nullable() })),
  documents: z.array(z.union([id, z.strictObject({ documentid: id })])),
  featured_documentid: id.nullable(),
  public: z.boolean(),
  parts: z.array(supplyEdit),
  tools: z.array(supplyEdit),
  author: id,
  langid: z.string().min(2).max(10),
  objectid: id.nullable(),
};

/** Body of POST /guides (spec). With `steps` (extension), one call creates a whole guide. */
export const newGuide = z
  .strictObject({
    ...z.strictObject(guideFields).partial().shape,
    category: guideFields.category,
    type: guideFields.type,
    steps: z
      .array(z.strictObject({ key: z.string().min(1).max(64).optional(), ...stepEdit.shape }))
      .optional(),
  })
  .meta({
    examples: [
      {
        category: 'Bench Grinder',
        type: 'replacement',
        title: 'Bench Grinder Drive Belt Replacement',
        summary: 'Replace a worn drive belt.',
        introduction: "Unplug the ''grinder'' first.",
        difficulty: 'Easy',
        time_required_min: 900,
        time_required_max: 1800,
        parts: [{ name: 'V-belt A28', quantity: 1, notes: '710 mm' }],
        tools: [{ name: 'T20 screwdriver', quantity: 1 }],
        steps: [
          {
            title: 'Open the guard',
            lines: [
              { text: "Remove the ''three'' T20 screws.", bullet: 'red', level: 0 },
              { text: 'They differ in length.', bullet: 'icon_note', level: 1 },
            ],
          },
        ],
      },
    ],
  });
export type NewGuide = z.output<typeof newGuide>;

/**
 * Body of PATCH /guides/{guideid}: only the fields in the body change; lists replace lists. `steps` and `removed_steps`
 * (extension) together must name every step of the guide: a missing step, or a stale revision of one, is a 409.
 */
export const guideEdit = z.strictObject({
  ...z.strictObject(guideFields).partial().shape,
  steps: z.array(stepInGuideEdit).optional(),
  removed_steps: z.array(z.strictObject({ stepid: id, revisionid: z.int() })).optional(),
});
export type GuideEdit = z.output<typeof guideEdit>;
/** The same as a client writes it. */
export type GuideEditBody = z.input<typeof guideEdit>;

/** Filters of GET /guides (spec). `filter` may list several types, separated by commas. */
export const guideFilter = z.object({
  guideids: z.string().optional(),
  filter: z.string().optional(),
  order,
  offset,
  limit,
  modifiedSince: z.coerce.number().int().optional(),
  includePrivate: querySwitch,
  langid,
});

/**
 * Query of GET /guides/{guideid} (spec, and as on live servers). `revisionid`: read the newest version with that
 * number. `guide_revisionid` (extension): read exactly one version, as `/guides/{guideid}/revisions` lists them. Edits
 * of steps create versions that share a `revisionid`.
 */
export const guideQuery = z.object({
  langid,
  unpatrolled: presenceSwitch,
  excludePrerequisiteSteps: presenceSwitch,
  stepComments: presenceSwitch,
  /** `HTML`, one self-contained page, is an extension. */
  type: z.enum(['JSON', 'XML', 'HTML']).default('JSON'),
  revisionid: z.coerce.number().int().positive().optional(),
  guide_revisionid: z.coerce.number().int().positive().optional(),
});

/** A person who has a guide open for editing. `since`: UNIX seconds. */
const guideEditor = z
  .strictObject({ userid: z.int(), username: z.string(), since: z.int() })
  .meta({ id: 'GuideEditor' });

const langQuery = z.object({ langid });
const newTag = z.strictObject({ tag: tagName });
/** A tag to remove may be one that people can no longer give. */
const anyTag = z.strictObject({ tag: z.string().trim().min(1) });

export const guides = {
  list: get('/guides', {
    lasts: 'until-written',
    summary: 'List guides',
    access: 'public',
    query: guideFilter,
    refuses: [403],
    result: z.array(guideSummary),
  }),
  featured: get('/guides/featured', {
    lasts: 'until-written',
    summary: 'List featured guides',
    access: 'public',
    query: z.object({ offset, limit }),
    result: z.array(guideSummary),
  }),
  collections: get('/collections', {
    lasts: 'until-written',
    summary: 'List collections of guides: the featured ones, where there are any',
    access: 'public',
    query: z.object({ offset, limit }),
    result: z.array(guideCollection),
    extension: true,
  }),
  read: get('/guides/{guideid}', {
    lasts: 'until-written',
    summary: 'Read a guide',
    access: 'public',
    params: guideId,
    query: guideQuery,
    refuses: [404],
    result: guide,
    produces: ['application/xml', 'text/html'],
  }),
  create: post('/guides', {
    summary: 'Create a guide',
    status: 201,
    body: newGuide,
    result: guide,
    refuses: [400, 403],
    offline: 'guide-create',
  }),
  patch: patch('/guides/{guideid}', {
    summary: 'Edit a guide',
    params: guideId,
    query: langQuery,
    revisioned: guide,
    body: guideEdit,
    result: guide,
    offline: 'guide-save',
  }),
  remove: del('/guides/{guideid}', {
    summary: 'Delete a guide',
    status: 204,
    params: guideId,
    revisioned: guide,
    offline: 'guide-delete',
  }),
  publish: put('/guides/{guideid}/public', {
    summary: 'Make a guide public',
    params: guideId,
    revisioned: guide,
    result: guide,
    offline: 'guide-publish',
  }),
  unpublish: del('/guides/{guideid}/public', {
    summary: 'Make a guide private',
    params: guideId,
    revisioned: guide,
    result: guide,
    offline: 'guide-publish',
  }),
  publishSingular: put('/guide/{guideid}/public', {
    summary: 'Make a guide public (spelling of the specification)',
    params: guideId,
    revisioned: guide,
    result: guide,
  }),
  unpublishSingular: del('/guide/{guideid}/public', {
    summary: 'Make a guide private (spelling of the specification)',
    params: guideId,
    revisioned: guide,
    result: guide,
  }),
  editors: post('/guides/{guideid}/editors', {
    summary: 'Say whether the caller has a guide open for editing, and read who else has',
    reads: true,
    params: guideId,
    body: z.strictObject({ open: z.boolean() }),
    result: z.array(guideEditor),
    extension: true,
  }),
  complete: put('/guides/{guideid}/completed', {
    refuses: [400, 404],
    summary: 'Mark a guide completed by the caller',
    status: 204,
    params: guideId,
    query: langQuery,
    offline: 'completion',
    extension: true,
  }),
  uncomplete: del('/guides/{guideid}/completed', {
    refuses: [400, 404],
    summary: 'Take back the completion of a guide',
    status: 204,
    params: guideId,
    query: langQuery,
    offline: 'completion',
    extension: true,
  }),
  // Some older clients name the guide's revision and some do not.
  addStep: post('/guides/{guideid}/steps', {
    summary: 'Add a step',
    status: 201,
    params: guideId,
    checks: guide,
    body: newStep,
    result: guide,
    extension: true,
  }),
  patchStep: patch('/guides/{guideid}/steps/{stepid}', {
    summary: 'Edit a step',
    params: stepId,
    revisioned: step,
    body: stepEdit,
    result: step,
    extension: true,
  }),
  removeStep: del('/guides/{guideid}/steps/{stepid}', {
    summary: 'Delete a step',
    params: stepId,
    revisioned: step,
    result: guide,
    extension: true,
  }),
  // LIVE-6: some clients of live servers name the steps in the query.
  orderSteps: put('/guides/{guideid}/steporder', {
    summary: 'Order the steps',
    params: guideId,
    revisioned: guide,
    query: z.object({ stepids: stepIds.optional() }),
    body: z.strictObject({ stepids: z.array(id).optional() }),
    result: guide,
    extension: true,
  }),
  tags: get('/guides/{guideid}/tags', {
    lasts: 'until-written',
    summary: 'List the tags of a guide',
    access: 'public',
    params: guideId,
    result: z.array(z.string()),
  }),
  addTag: put('/guides/{guideid}/tag', {
    summary: 'Add a tag to a guide',
    params: guideId,
    checks: guide,
    body: newTag,
    result: guide,
    offline: 'guide-tag',
  }),
  removeTag: del('/guides/{guideid}/tag', {
    summary: 'Remove a tag from a guide',
    params: guideId,
    checks: guide,
    body: anyTag,
    result: guide,
    offline: 'guide-tag',
  }),
};

/**
 * `GET /user/flags` (as on live servers). `wiki` (extension): flags for wikis only; wikis may also have the flags of
 * guides.
 */
export const userFlags = z.strictObject({
  guide: z.record(z.string(), flagRecord),
  wiki: z.record(z.string(), flagRecord),
});
