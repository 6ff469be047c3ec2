import { z } from 'zod';

/** How far work that outlives a request is: `done` of `total` (0: not known yet), and what it is doing. */
export const jobProgressRecord = z
  .strictObject({ done: z.int(), total: z.int(), phase: z.string() })
  .meta({ id: 'JobProgress' });

export const jobStates = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const;

const fieldError = z.strictObject({
  field: z.string(),
  message: z.string(),
  index: z.int().optional(),
});

/** Why a job failed: the words of a refusal, and of a 422 each field. */
export const jobErrorRecord = z
  .strictObject({ message: z.string(), errors: z.array(fieldError).optional() })
  .meta({ id: 'JobError' });

/**
 * An archive of the collection. `hash` is the SHA-256 of the file in hex and names this version for ever; `url` is
 * where exactly this version is. There is none of them while a version is made (`building`), and where none can be
 * made (`failed`).
 */
export const collectedArchive = z
  .strictObject({
    name: z.string(),
    title: z.string(),
    /** null: the whole site. */
    category: z.string().nullable(),
    state: z.enum(['ready', 'building', 'failed']),
    /** How far the next version is; null while none is in line. */
    progress: jobProgressRecord.nullable(),
    /** Why the newest version could not be made, and what to do instead. Beside a version: that is an older one. */
    error: jobErrorRecord.nullable(),
    size: z.int().nullable(),
    date: z.int().nullable(),
    guides: z.int(),
    hash: z.string().nullable(),
    url: z.string().nullable(),
  })
  .meta({ id: 'CollectedArchive' });
export type CollectedArchive = z.infer<typeof collectedArchive>;

/** One line of the report of a reading or writing (the README of the format library lists the codes). */
export const findingRecord = z
  .strictObject({
    kind: z.enum(['dropped', 'guessed', 'repaired', 'unresolved']),
    code: z.string(),
    member: z.string(),
    place: z.string(),
    message: z.string(),
  })
  .meta({ id: 'Finding' });

/** An archive that somebody had made for themselves. */
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

/** What an import does about something that is here already. */
export const importExisting = z.enum(['skip', 'new', 'revision']);
/** Whose the guides of an import become. */
export const importAuthor = z.enum(['importer', 'name']);
/** Who sees the guides of an import: as the archive says (private where it does not), or one of both. */
export const importVisibility = z.enum(['archived', 'private', 'public']);

/** Whether an import fetches the pictures and documents that an archive only links to. */
export const importLinks = z.enum(['fetch', 'leave']);

/**
 * The file of an import: `awaited` while bytes are missing; `here` while it can be imported again; `gone` after its time
 * or with a restored backup, when it must be sent again for that. An undo needs no file.
 */
export const importFile = z.enum(['awaited', 'here', 'gone']);

/** What an import did, or would do, with one record of the archive. */
export const importedItem = z
  .strictObject({
    kind: z.enum(['guide', 'category']),
    member: z.string(),
    title: z.string(),
    action: z.enum(['created', 'changed', 'skipped']),
    /** Of the guide or wiki here; null: it is not made yet. */
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

/** What an undo left in place, and why. */
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

/** An import of an archive. `uploading`: it waits for bytes from `received` on. */
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
