import { z } from 'zod';

/** A user of a server. */
const person = z.looseObject({ server: z.string(), userid: z.int() });

/**
 * Where an archive came from. `opened`: a file that the user opened. `url`: fetched from an address. `server`: from the
 * server's collection, or (`private`) made on request for this user. `made`: exported on this device; `by` is the user who
 * exported it if one of its guides is not public, else null.
 */
export const archiveOrigin = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('opened') }),
  z.looseObject({ kind: z.literal('made'), by: person.nullable() }),
  z.looseObject({ kind: z.literal('url'), url: z.string() }),
  z.looseObject({
    kind: z.literal('server'),
    server: z.string(),
    userid: z.int(),
    /** Its name in the server's collection. */
    name: z.string(),
    /** Path of this version; starts with `/`. */
    path: z.string(),
    private: z.boolean(),
  }),
]);
export type ArchiveOrigin = z.infer<typeof archiveOrigin>;

/** A download that is not complete. The part that was fetched is in the archive's file. */
export const fetching = z.looseObject({
  /** Bytes of the complete file; 0 while not known. */
  size: z.int().nonnegative(),
  /** Validator with which an interrupted download continues (`If-Range`): a strong ETag or a modification date; '' without one. */
  validator: z.string().default(''),
  /** Number of bytes that were flushed to the disk; what follows them is undefined after a power failure. */
  flushed: z.int().nonnegative().default(0),
  /** Expected SHA-256 of the complete file; null: the source names none. */
  sha256: z.string().nullable(),
  /** The user paused it. */
  paused: z.boolean(),
  /** Why it stopped, as text for the user; null: it did not. */
  problem: z.string().nullable(),
  /** The archive that this one replaces as its next version when it is complete. */
  replaces: z.string().nullable(),
});
export type Fetching = z.infer<typeof fetching>;

/** The journal's record of an archive (`meta`, under `archiveKey`): what the file itself does not contain. */
export const archiveRecord = z.looseObject({
  archiveid: z.string().min(1),
  /** Name of the file in the folder of the journal. */
  stored: z.string(),
  filename: z.string(),
  /** ms since 1970. */
  addedAt: z.number(),
  origin: archiveOrigin,
  /** SHA-256 of the complete file; '' while it is being fetched. */
  sha256: z.string(),
  fetching: fetching.nullable(),
  /** A person allowed loading the pictures, videos and pages to which it only links. */
  loadsLinks: z.boolean().optional(),
});
export type ArchiveRecord = z.infer<typeof archiveRecord>;

/** The state of a download before its first byte. */
export const nothingFetched = { validator: '', flushed: 0 };

const prefix = 'archive/';

/** Id of a record in the journal's `meta`. */
export function archiveKey(archiveid: string): string {
  return prefix + archiveid;
}

/** The records of archives among the journal's `meta`. */
export function recordsIn(meta: ReadonlyMap<string, unknown>): ArchiveRecord[] {
  return [...meta].flatMap(([id, value]) => {
    const parsed = id.startsWith(prefix) ? archiveRecord.safeParse(value) : undefined;
    return parsed?.data === undefined ? [] : [parsed.data];
  });
}

/** The archives whose records this version of the app cannot read, by id, with the name of their file (null: unreadable too). */
export function unreadableIn(meta: ReadonlyMap<string, unknown>): Map<string, string | null> {
  const unreadable = [...meta].filter(
    ([id, value]) => id.startsWith(prefix) && !archiveRecord.safeParse(value).success,
  );
  return new Map(
    unreadable.map(([id, value]) => [
      id.slice(prefix.length),
      archiveRecord.pick({ stored: true }).safeParse(value).data?.stored ?? null,
    ]),
  );
}

/** The only user who may see an archive with content that is not public; null: everyone who uses the device may. */
export function ownerOf(origin: ArchiveOrigin): { server: string; userid: number } | null {
  if (origin.kind === 'made') return origin.by;
  return origin.kind === 'server' && origin.private ? { server: origin.server, userid: origin.userid } : null;
}

/** Whether what an archive only links to may be loaded: from this person's own server, or because a person allowed it. */
export function mayLoadLinks({ origin, loadsLinks }: ArchiveRecord): boolean {
  return loadsLinks === true || origin.kind === 'made' || origin.kind === 'server';
}

const filePrefix = 'archive:';

/** The file id by which a call of the outbox names an archive. */
export function archiveFileId(archiveid: string): string {
  return filePrefix + archiveid;
}

/** The name of the file of the archive that a call names by `fileId`; undefined when the archive was removed. */
export function storedFileOf(meta: ReadonlyMap<string, unknown>, fileId: string): string | undefined {
  return recordsIn(meta).find(({ archiveid }) => archiveFileId(archiveid) === fileId)?.stored;
}
