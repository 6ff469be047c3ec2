import { z } from 'zod';

import {
  importProgress,
  trainingImport,
  trainingModule,
  trainingPlayer,
  trainingResult,
  trainingUsage,
} from '#shared/model/training.ts';

import { del, get, idText, limit, offset, post, put } from './endpoint.ts';

const moduleId = z.strictObject({ id: idText });
const importId = z.strictObject({ importid: idText });
const whichImport = z.strictObject({ importid: z.int().positive() });
const words = z.string().max(200).optional();
const page = { limit, offset };

/** Body of POST …/imports: the title of a new module, or the module that gets a new version. */
export const newTrainingImport = z
  .strictObject({
    title: z.string().trim().min(1).max(200).optional(),
    external_training_moduleid: z.int().positive().optional(),
  })
  .refine((body) => (body.title === undefined) !== (body.external_training_moduleid === undefined), {
    message: 'Name a new module or give the id of one',
    path: ['title'],
  })
  .meta({ examples: [{ title: 'Lockout before maintenance' }] });
export type NewTrainingImport = z.output<typeof newTrainingImport>;

/** Body of POST …/drafts. The list is requested by POST, so its paging is in the body. */
const draftFilter = z
  .strictObject({
    query: z.string().max(200),
    limit: z
      .int()
      .min(1)
      .transform((value) => Math.min(value, 200)),
    offset: z.int().min(0),
  })
  .partial();

/** Modules of other vendors: SCORM, xAPI, cmi5 and AICC packages (the spec shows no bodies; as on live servers). */
export const externalTrainingModules = {
  current: get('/external_training_modules/current', {
    summary: 'List the modules that have a current version',
    query: z.object({ query: words, ...page }),
    result: z.array(trainingModule),
    refuses: [403],
  }),
  drafts: post('/external_training_modules/drafts', {
    summary: 'List the modules that have a draft version',
    reads: true,
    body: draftFilter,
    result: z.array(trainingModule),
    refuses: [400, 403],
  }),
  usage: get('/external_training_modules/{id}/usage', {
    summary: 'List the places where a module is used',
    params: moduleId,
    result: z.array(trainingUsage),
    refuses: [403, 404],
  }),
  player: get('/external_training_modules/{id}/player', {
    summary: 'Ask for the player of a module; for those who are assigned to a course with it',
    params: moduleId,
    result: trainingPlayer,
    refuses: [403, 404],
  }),
  setCurrent: put('/external_training_modules/{id}/current', {
    summary: 'Make an import the current version of its module',
    params: moduleId,
    body: whichImport,
    result: trainingModule,
  }),
  setDraft: put('/external_training_modules/{id}/draft', {
    summary: 'Make an import the draft version of its module',
    params: moduleId,
    body: whichImport,
    result: trainingModule,
  }),
  imports: get('/external_training_modules/{id}/imports', {
    summary: 'List the imports of a module, the highest vendor version number first',
    params: moduleId,
    result: z.array(trainingImport),
    refuses: [403, 404],
  }),
  createImport: post('/external_training_modules/imports', {
    summary: 'Begin an import: of a new module, or of a new version of one',
    status: 201,
    body: newTrainingImport,
    result: trainingImport,
    refuses: [400, 403],
  }),
  startByUrl: post('/external_training_modules/imports/{importid}/start/byUrl', {
    summary: 'Have the server fetch the package of an import from an address',
    status: 202,
    params: importId,
    body: z.strictObject({
      url: z.url({ protocol: /^https?$/, error: 'Must begin with https:// or http://' }).max(2000),
    }),
    result: trainingImport,
    transaction: 'handler',
  }),
  startByUpload: post('/external_training_modules/imports/{importid}/start/byUpload', {
    summary: 'Send the package of an import: the bytes of the zip file, or a form with one file',
    status: 202,
    params: importId,
    consumes: 'bytes',
    files: ['application/zip', 'multipart/form-data'],
    result: trainingImport,
    transaction: 'handler',
  }),
  cancelImport: post('/external_training_modules/imports/{importid}/cancel', {
    summary: 'Cancel an import that is not over',
    params: importId,
    result: trainingImport,
  }),
  importProgress: get('/external_training_modules/imports/{importid}/progress', {
    summary: 'Ask how far a running import is; one that is over is not found, with words about its end',
    params: importId,
    result: importProgress,
    refuses: [403, 404],
  }),
  readImport: get('/external_training_modules/imports/{importid}', {
    summary: 'Read an import, also one that is over',
    params: importId,
    result: trainingImport,
    refuses: [403, 404],
    extension: true,
  }),
  removeImport: del('/external_training_modules/imports/{importid}', {
    summary: 'Delete a version that learners do not play; what people achieved in it stays',
    status: 204,
    params: importId,
    tagged: trainingImport,
    transaction: 'handler',
    extension: true,
  }),
  remove: del('/external_training_modules/{id}', {
    summary: 'Delete a module that no course asks for; what people achieved in it stays',
    status: 204,
    params: moduleId,
    transaction: 'handler',
    extension: true,
  }),
  preview: get('/external_training_modules/imports/{importid}/preview', {
    summary: 'Ask for a player that shows an import without counting for anybody',
    params: importId,
    result: trainingPlayer,
    refuses: [403, 404],
  }),
  results: get('/external_training_modules/{id}/results', {
    summary: 'List what people achieved in a module',
    params: moduleId,
    query: z.object(page),
    result: z.array(trainingResult),
    refuses: [403, 404],
    extension: true,
  }),
};
