import { z } from 'zod';

import {
  archiveImport,
  collectedArchive,
  importAuthor,
  importExisting,
  importLinks,
  importVisibility,
  madeArchive,
} from '#shared/model/archive-record.ts';

import { del, get, idText, limit, offset, post, put } from './endpoint.ts';

/** Maximum size of an imported archive in bytes, and maximum number of guides in a requested one. */
export const archiveLimits = { bytes: 4 * 1024 ** 3, guides: 2000 } as const;

const archiveName = z.strictObject({ name: z.string().min(1).max(300) });
const archiveId = z.strictObject({ archiveid: idText });
const importId = z.strictObject({ importid: idText });
const pages = z.object({ offset, limit });

/**
 * Body of POST /omanual/archives: exactly one way to choose guides. Private guides are included if the caller may see
 * them.
 */
export const newArchive = z
  .strictObject({
    guideids: z.array(z.int().positive()).min(1).max(archiveLimits.guides).optional(),
    /** Includes the categories below it. */
    category: z.string().min(1).optional(),
    tag: z.string().min(1).optional(),
    site: z.literal(true).optional(),
    media: z.enum(['inside', 'links']).default('inside'),
  })
  .refine(
    ({ guideids, category, tag, site }) =>
      [guideids, category, tag, site].filter((way) => way !== undefined).length === 1,
    { message: 'Name one of guideids, category, tag and site', path: ['guideids'] },
  )
  .meta({ examples: [{ category: 'Bench Grinder' }] });
export type NewArchive = z.output<typeof newArchive>;

/** Options of an import. */
const importRules = {
  /**
   * A record that the site already has is left alone (`skip`), created again (`new`), or gets a new version
   * (`revision`).
   */
  existing: importExisting.default('skip'),
  /**
   * `name`: the guides belong to the user with the name of the author; only administrators can assign guides to others.
   */
  author: importAuthor.default('importer'),
  visibility: importVisibility.default('archived'),
  /**
   * Pictures and documents that the archive only links to are downloaded if the server may call their addresses, or
   * left out.
   */
  links: importLinks.default('fetch'),
  /** Only report what would happen. */
  dry_run: z.boolean().default(false),
};

/** Body of POST /omanual/imports: either a `url`, or the `size` of a file whose bytes follow. */
export const newImport = z
  .strictObject({
    ...importRules,
    url: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .optional(),
    size: z.int().positive().max(archiveLimits.bytes).optional(),
    filename: z.string().trim().min(1).max(200).optional(),
  })
  .refine(({ url, size }) => (url === undefined) !== (size === undefined), {
    message: 'Name either a url, or the size of the file that follows',
    path: ['size'],
  })
  .meta({ examples: [{ size: 1_048_576, filename: 'guides.omanual', dry_run: true }] });
export type NewImport = z.output<typeof newImport>;

/** Archives in the oManual format: the collection of the site, archives made on request, imports. */
export const omanual = {
  list: get('/omanual', {
    summary: 'List the archives of the collection: of each category and of the whole site',
    access: 'public',
    result: z.array(collectedArchive),
    extension: true,
  }),
  download: get('/omanual/{name}.omanual', {
    summary: 'Download an archive of the collection',
    access: 'public',
    params: archiveName,
    query: z.object({
      hash: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional()
        .meta({ description: 'SHA-256 of the version that is wanted; the current one without it' }),
    }),
    produces: ['application/zip'],
    ranges: true,
    extension: true,
  }),
  listMade: get('/omanual/archives', {
    summary: 'List the archives that the caller had made',
    query: pages,
    result: z.array(madeArchive),
    extension: true,
  }),
  make: post('/omanual/archives', {
    summary: 'Make an archive of guides that the caller may see, private ones too',
    status: 202,
    body: newArchive,
    result: madeArchive,
    refuses: [400, 403, 404],
    extension: true,
  }),
  readMade: get('/omanual/archives/{archiveid}', {
    summary: 'Read how far an archive of the caller is',
    params: archiveId,
    result: madeArchive,
    extension: true,
  }),
  downloadMade: get('/omanual/archives/{archiveid}/file', {
    summary: 'Download an archive that the caller had made',
    params: archiveId,
    produces: ['application/zip'],
    ranges: true,
    extension: true,
  }),
  removeMade: del('/omanual/archives/{archiveid}', {
    summary: 'Delete an archive of the caller, or end its making',
    status: 204,
    params: archiveId,
    tagged: madeArchive,
    refuses: [400, 404],
    extension: true,
  }),
  listImports: get('/omanual/imports', {
    summary: "List the caller's imports, newest first; administrators get all imports",
    query: pages,
    result: z.array(archiveImport),
    extension: true,
  }),
  createImport: post('/omanual/imports', {
    summary: 'Begin an import of an archive: from a URL, or from a file whose bytes follow',
    status: 201,
    body: newImport,
    result: archiveImport,
    refuses: [400, 403],
    extension: true,
  }),
  readImport: get('/omanual/imports/{importid}', {
    summary: 'Read how far an import is, and its report',
    params: importId,
    result: archiveImport,
    extension: true,
  }),
  uploadPart: put('/omanual/imports/{importid}/file', {
    summary: 'Send bytes of the file of an import; with the last of them the import begins',
    params: importId,
    query: z.object({
      offset: z.coerce
        .number()
        .int()
        .min(0)
        .default(0)
        .meta({ description: 'Where in the file the bytes belong; the `received` of the import' }),
    }),
    consumes: 'bytes',
    onDisk: true,
    result: archiveImport,
    refuses: [404],
    transaction: 'handler',
    extension: true,
  }),
  runImport: post('/omanual/imports/{importid}/run', {
    summary: 'Import the file of an earlier import, such as a dry run, with other rules',
    status: 201,
    params: importId,
    body: z.strictObject(importRules),
    result: archiveImport,
    refuses: [400, 403, 404],
    extension: true,
  }),
  cancelImport: post('/omanual/imports/{importid}/cancel', {
    summary: 'End an import and take back what it did so far',
    params: importId,
    result: archiveImport,
    refuses: [400, 404],
    extension: true,
  }),
  undoImport: post('/omanual/imports/{importid}/undo', {
    summary: 'Take back everything that an import did',
    status: 202,
    params: importId,
    body: z.strictObject({
      /** Also undo records that were edited since. */
      force: z.boolean().default(false),
    }),
    result: archiveImport,
    refuses: [400, 404],
    extension: true,
  }),
};
