import { z } from 'zod';

import type { ByteSource } from '#shared/formats/omanual/source.ts';

import { keptWords, type KeptWords } from '#desktop/engine/account/leaving/quarantine.ts';
import { jsonIn } from '#desktop/engine/sync/recognise.ts';
import { workOwner } from '#desktop/engine/account/work-control.ts';

/** Version of the file format. A change that older readers cannot read needs a new number. */
export const workFileVersion = 1;

/** The first line. In newer versions, only `format` and `version` are certain. */
export const workHead = z.looseObject({
  format: z.literal('benchbook-waiting-work'),
  version: z.int().min(1),
});

/** The first line in this version: when the file was written (ms since 1970), and whose work it is. */
export const workHeadNow = workHead.extend({ exportedAt: z.number(), owner: workOwner });

const fileId = z.string().min(1);

/** All other lines. */
export const workLine = z.union([
  /** The real ids of temporary ones (with `tmp:`). */
  z.strictObject({ ids: z.record(z.string(), z.string()) }),
  z.strictObject({
    file: z.looseObject({ id: fileId, type: z.string(), name: z.string(), sha256: z.string() }),
  }),
  /** The next bytes of a file, as base64. */
  z.strictObject({ bytes: z.base64(), of: fileId }),
  z.strictObject({ fileEnd: fileId }),
  /** A call in its stored form, with its version. */
  z.strictObject({ call: z.unknown(), version: z.int() }),
  z.strictObject({ words: keptWords }),
  /** A draft of a guide that exists on this device only: its stored records by id, in the form of the database. */
  z.strictObject({ draft: z.string().min(1), stored: z.record(z.string(), z.string()) }),
  z.strictObject({ end: z.looseObject({ calls: z.int(), drafts: z.int() }) }),
]);
/** A parsed line. `KeptWords` has narrower types than the schema of words. */
export type WorkLine = Exclude<z.infer<typeof workLine>, { words: unknown }> | { words: KeptWords };

/** Bytes that are read at once, or written as one line. */
export const pieceOfFile = 384 * 1024;

/** Longer lines are not written by this app, bytes. */
const longestLine = 64 * 1024 * 1024;

/** The lines of a file as values; undefined for a line that is not JSON. Holds one line at a time in memory. */
export async function* valuesIn(source: ByteSource): AsyncGenerator<unknown> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  for (let at = 0; at < source.size; at += pieceOfFile) {
    const bytes = await source.read(at, Math.min(pieceOfFile, source.size - at));
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n');
    parts.push(first);
    length += first.length;
    for (const next of rest) {
      const line = length > longestLine ? ' ' : parts.join('');
      if (line !== '') yield jsonIn(line);
      parts = [next];
      length = next.length;
    }
    if (length > longestLine) parts = [];
  }
  const last = parts.join('') + decoder.decode();
  if (last !== '') yield jsonIn(last);
}
