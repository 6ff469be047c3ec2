import { z } from 'zod';

/** Somebody on a server. */
const person = z.looseObject({ server: z.string(), userid: z.int() });

/**
 * Where an archive came from. `opened`: a file that the person opened. `url`: fetched from an address. `server`: of
 * the server's collection, or (`private`) made on request for this person. `made`: exported on this device, `by` whom if
 * one of its guides is not for everybody.
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
    /** Path of this version; begins with `/`. */
    path: z.string(),
    private: z.boolean(),
  }),
]);
export type ArchiveOrigin = z.infer<typeof archiveOrigin>;

/** A file that is still being fetched. What is there already is the file itself. */
export const fetching = z.looseObject({
  /** Bytes of the whole; 0 while not known. */
  size: z.int().nonnegative(),
  /** By which a broken fetch goes on (`If-Range`): a strong tag, or a time of change; '' without one. */
  validator: z.string().default(''),
  /** So many bytes of the file are safe: a power cut may leave anything behind them. */
  flushed: z.int().nonnegative().default(0),
  /** What the whole must hash to; null: the source says nothing. */
  sha256: z.string().nullable(),
  /** The person stopped it. */
  paused: z.boolean(),
  /** Why it stopped, in plain words. */
  problem: z.string().nullable(),
  /** The archive whose next version it is: it takes the place of that one when it is whole. */
  replaces: z.string().nullable(),
});
export type Fetching = z.infer<typeof fetching>;

/** What the journal says of an archive (`meta`, under `archiveKey`): all that the file itself does not tell. */
export const archiveRecord = z.looseObject({
  archiveid: z.string().min(1),
  /** Name of the file beside the journal. */
  stored: z.string(),
  filename: z.string(),
  /** ms since 1970. */
  addedAt: z.number(),
  origin: archiveOrigin,
  /** Of the whole file; '' while it is being fetched. */
  sha256: z.string(),
  fetching: fetching.nullable(),
});
export type ArchiveRecord = z.infer<typeof archiveRecord>;

/** Before anything of a file is here. */
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

/** Where the file is of a record that this version of the app cannot read; null where not even that can be read. */
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

/** The one person whom an archive is for, since it holds what not everybody may see; null: whoever has the device. */
export function ownerOf(origin: ArchiveOrigin): { server: string; userid: number } | null {
  if (origin.kind === 'made') return origin.by;
  return origin.kind === 'server' && origin.private ? { server: origin.server, userid: origin.userid } : null;
}

const filePrefix = 'archive:';

/** How a call of the outbox names the file of an archive. */
export function archiveFileId(archiveid: string): string {
  return filePrefix + archiveid;
}

/** Where the file of an archive is that a call names; undefined when it is not here any more. */
export function storedFileOf(meta: ReadonlyMap<string, unknown>, fileId: string): string | undefined {
  return recordsIn(meta).find(({ archiveid }) => archiveFileId(archiveid) === fileId)?.stored;
}
