import { z } from 'zod';

import { sha256Of } from '#server/platform/slices.ts';
import { databaseName } from '#server/storage/sqlite.ts';

/** Whether files with these paths, and the database, can all exist in one folder. */
function canAllExist(files: readonly { path: string }[]): boolean {
  const paths = new Set([databaseName, ...files.map(({ path }) => path)]);
  const hasFileAsFolder = (path: string): boolean =>
    path.split('/').some((_, index, parts) => index > 0 && paths.has(parts.slice(0, index).join('/')));
  return paths.size === files.length + 1 && !files.some(({ path }) => hasFileAsFolder(path));
}

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

/** A file in a backup. */
const backedUpFile = z.strictObject({
  /** Relative to the data folder, with `/`. */
  path: z.string().regex(/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/),
  sha256,
  /** Bytes. */
  size: z.int().min(0),
  /** Last change of the file, UNIX milliseconds. The next backup does not read a file of the same size and time. */
  changedAt: z.number(),
});
export type BackedUpFile = z.infer<typeof backedUpFile>;

/** The list of one backup. An incompatible change gets another `format`. */
const manifestSchema = z.strictObject({
  format: z.literal(1),
  /** UNIX milliseconds. */
  madeAt: z.int(),
  /** Version of the program that made it, for messages. */
  program: z.string(),
  /** Schema of the database, and the oldest schema that a program must know to open it. */
  schema: z.int(),
  oldestSchema: z.int(),
  /** Title of the site, for people. */
  site: z.string(),
  database: z.strictObject({ sha256, size: z.int().min(0) }),
  files: z.array(backedUpFile).refine(canAllExist, 'Two files have the same path'),
  /** Rows of each table. */
  counts: z.record(z.string(), z.int()),
});
export type Manifest = z.infer<typeof manifestSchema>;

const envelope = z.strictObject({ sha256, manifest: z.string() });

/** The manifest as text, with its hash, so that damage is detected. */
export async function manifestText(manifest: Manifest): Promise<string> {
  const text = JSON.stringify(manifestSchema.parse(manifest));
  return JSON.stringify({ sha256: await sha256Of(new TextEncoder().encode(text)), manifest: text });
}

/** @throws if the text is damaged or has another format */
export async function readManifest(text: string): Promise<Manifest> {
  const { sha256: wanted, manifest } = envelope.parse(JSON.parse(text));
  if ((await sha256Of(new TextEncoder().encode(manifest))) !== wanted)
    throw new Error('The list of files does not fit its hash');
  return manifestSchema.parse(JSON.parse(manifest));
}
