import { dirname, join } from 'node:path';

import { Parser, type ReadEntry } from 'tar';

import { UpdateFailed } from './failure.ts';
import { type Files, plainFiles, syncFolder } from './plain-files.ts';

/** Most bytes and entries of an extracted version. */
const limits = { bytes: 4 * 1024 ** 3, entries: 20_000 };

/**
 * Extracts a folder of a tar.gz and makes it durable. Other entries are skipped. `prefix`: the folder in the archive, with
 * a slash at its end. `to`: a folder that does not exist yet. All chunks are read before this resolves.
 * @throws UpdateFailed package, if an entry of the folder is a link, a device, or has an unusual path
 */
export async function extractFolder(
  chunks: AsyncIterable<Uint8Array>,
  prefix: string,
  to: string,
  files: Files = plainFiles,
): Promise<void> {
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let hasFailed = false;
  const folders = new Set<string>();
  let bytes = 0;
  let entries = 0;
  const makeFolder = async (path: string): Promise<void> => {
    if (folders.has(path)) return;
    if (path !== to) await makeFolder(dirname(path));
    await files.mkdir(path, { mode: 0o755 });
    folders.add(path);
  };
  const put = async (entry: ReadEntry): Promise<void> => {
    const path = placeOf(entry, prefix);
    entries += 1;
    bytes += entry.size;
    if (bytes > limits.bytes || entries > limits.entries)
      throw new UpdateFailed('package', 'The package is too large');
    if (path === null || entry.type === 'Directory') {
      if (path !== null) await makeFolder(join(to, path));
      entry.resume();
      return;
    }
    const target = join(to, path);
    await makeFolder(dirname(target));
    // Anybody may run the program; only the mode of its owner's execute bit is taken over.
    const mode = ((entry.mode ?? 0) & 0o100) === 0 ? 0o644 : 0o755;
    await using file = await files.open(target, 'wx', mode);
    const parts = entry[Symbol.asyncIterator]();
    for (;;) {
      // After a failure the rest of the entry never arrives.
      const part = await Promise.race([parts.next(), failure.promise]);
      if (part.done === true) break;
      await file.writeFile(part.value);
    }
    await file.chmod(mode);
    await file.sync();
  };

  let work = Promise.resolve();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      work = work.then(() => (hasFailed ? failure.promise : put(entry)));
      work.catch(failure.reject);
    },
  });
  const ended = new Promise<void>((resolve) => void parser.on('end', () => resolve()));
  parser.on('error', (cause: unknown) =>
    failure.reject(new UpdateFailed('package', 'The package is damaged', { cause })),
  );
  try {
    for await (const chunk of chunks) {
      const drained = Promise.withResolvers<void>();
      parser.once('drain', drained.resolve);
      if (!parser.write(Buffer.from(chunk))) await Promise.race([drained.promise, failure.promise]);
      parser.off('drain', drained.resolve);
    }
    parser.end();
    await Promise.race([ended, failure.promise]);
    await Promise.race([work, failure.promise]);
  } catch (error) {
    // Nothing is written any more when this rejects, so the caller can remove what there is.
    hasFailed = true;
    failure.reject(error);
    for (let last; last !== work;) {
      last = work;
      await last.catch(() => undefined);
    }
    throw error;
  }
  if (!folders.has(to)) throw new UpdateFailed('package', `The package has no folder ${prefix}`);
  for (const folder of folders) await syncFolder(folder);
}

/** The path in the folder, '' for the folder itself; null for an entry outside of it. @throws UpdateFailed package */
function placeOf({ path, type }: ReadEntry, prefix: string): string | null {
  if (!`${path}/`.startsWith(prefix)) return null;
  const inside = path.slice(prefix.length).replace(/\/$/, '');
  const isPlain = inside.split('/').every((part) => /^[\w@+-][\w@ .+-]*$/.test(part));
  const isKnown = type === 'File' || type === 'OldFile' || type === 'Directory';
  if (!isKnown || (inside !== '' && !isPlain) || (inside === '' && type !== 'Directory'))
    throw new UpdateFailed('package', `The package has an entry that does not belong into it: ${path}`);
  return inside;
}
