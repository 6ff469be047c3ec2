import { z } from 'zod';

/** The progress of a job: `done` of `total` (0: not known yet), and the current phase. */
export const jobProgressRecord = z
  .strictObject({ done: z.int(), total: z.int(), phase: z.string() })
  .meta({ id: 'JobProgress' });

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

const fieldError = z.strictObject({
  field: z.string(),
  message: z.string(),
  index: z.int().optional(),
});

/** Why a job failed: the message of the refusal, and of a 422 the error of each field. */
export const jobErrorRecord = z
  .strictObject({ message: z.string(), errors: z.array(fieldError).optional() })
  .meta({ id: 'JobError' });

/**
 * An archive of the collection. `hash`: the SHA-256 of the file in hex, which identifies this version. `url`: the
 * address of exactly this version. Both are null until the first version is made (`building`), and when none can be
 * made (`failed`).
 */
export const collectedArchive = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    /** Null for the whole site. */
    category: z.string().nullable(),
    state: z.enum(['ready', 'building', 'failed']),
    /** The progress of the next version; null when none is queued. */
    progress: jobProgressRecord.nullable(),
    /**
     * Why the newest version could not be made, and what to do instead. If there is a `hash`, it belongs to an older
     * version.
     */
    error: jobErrorRecord.nullable(),
    size: z.int().nullable(),
    date: z.int().nullable(),
    guides: z.int(),
    hash: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'CollectedArchive' });
export type CollectedArchive = z.infer<typeof collectedArchive>;

/** A finding of reading or writing an archive (`shared/formats/omanual/README.md` lists the codes). */
export const findingRecord = z
  .strictObject({
    kind: z.enum(['dropped', 'guessed', 'repaired', 'unresolved']),
    code: z.string(),
    member: z.string(),
    place: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Finding' });

/** An archive that a person requested for themselves. */
export const madeArchive = z
  .strictObject({
    archiveid: z.int(),
    filename: z.string(),
    title: z.string(),
    state: z.enum(jobStates),
    progress: jobProgressRecord,
    guides: z.int(),
    size: z.int().nullable(),
    hash: z.string().nullable(),
    url: z.string().nullable(),
    findings: z.array(findingRecord),
    error: jobErrorRecord.nullable(),
    created_date: z.int(),
    expires_date: z.int().nullable(),
  })
  .meta({ id: 'MadeArchive' });
export type MadeArchive = z.infer<typeof madeArchive>;

/** What an import does with a record that the site already has. */
export const importExisting = z.enum(['skip', 'new', 'revision']);
/** Who owns the imported guides. */
export const importAuthor = z.enum(['importer', 'name']);
/** Who can see the imported guides: as the archive says (private if it does not), or one setting for all. */
export const importVisibility = z.enum(['archived', 'private', 'public']);

/** Whether an import downloads the pictures and documents that an archive only links to. */
export const importLinks = z.enum(['fetch', 'leave']);

/**
 * The file of an import. `awaited`: bytes are missing. `here`: it can be imported again. `gone`: it has expired, or a
 * backup was restored; to import again it must be sent again. An undo needs no file.
 */
export const importFile = z.enum(['awaited', 'here', 'gone']);

/** What an import did, or would do, with one record of the archive. */
export const importedItem = z
  .strictObject({
    kind: z.enum(['guide', 'category']),
    member: z.string(),
    title: z.string(),
    action: z.enum(['created', 'changed', 'skipped']),
    /** The id of the guide or wiki on this site; null until it exists. */
    id: z.int().nullable(),
  })
  .meta({ id: 'ImportedItem' });
export type ImportedItem = z.infer<typeof importedItem>;

export const importReport = z
  .strictObject({
    version: z.enum(['0.2', '0.3', '0.4', '1.0']),
    producer: z.enum(['benchbook', 'ifixit', 'dita', 'unknown']),
    base: z.string(),
    created: z.int(),
    changed: z.int(),
    skipped: z.int(),
    media: z.int(),
    items: z.array(importedItem),
    findings: z.array(findingRecord),
  })
  .meta({ id: 'ImportReport' });
export type ImportReportRecord = z.infer<typeof importReport>;

/** A record that an undo did not remove, and why. */
export const keptItem = z
  .strictObject({ kind: z.enum(['guide', 'category']), id: z.int(), title: z.string(), reason: z.string() })
  .meta({ id: 'KeptItem' });
export type KeptItem = z.infer<typeof keptItem>;

export const undoRecord = z
  .strictObject({
    state: z.enum(jobStates),
    progress: jobProgressRecord,
    undone: z.int(),
    kept: z.array(keptItem),
    error: jobErrorRecord.nullable(),
  })
  .meta({ id: 'ImportUndo' });

/** An import of an archive. `uploading`: it waits for the bytes from `received` on. */
export const archiveImport = z
  .strictObject({
    importid: z.int(),
    userid: z.int(),
    state: z.enum(['uploading', ...jobStates]),
    existing: importExisting,
    author: importAuthor,
    visibility: importVisibility,
    links: importLinks,
    dry_run: z.boolean(),
    url: z.string().nullable(),
    filename: z.string(),
    size: z.int(),
    received: z.int(),
    file: importFile,
    progress: jobProgressRecord,
    report: importReport.nullable(),
    undo: undoRecord.nullable(),
    error: jobErrorRecord.nullable(),
    created_date: z.int(),
    finished_date: z.int().nullable(),
  })
  .meta({ id: 'ArchiveImport' });
export type ArchiveImport = z.infer<typeof archiveImport>;
