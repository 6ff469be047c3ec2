import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Beyond this quality, Brotli takes ten times as long for a tenth fewer bytes. */
const quality = 9;
/** Smaller files fit into one packet anyway, bytes. */
const smallest = 1024;

/**
 * Writes each text file of a folder also as `.br` and `.gz`, so that the server sends it compressed without compressing it
 * for every request. Pictures and fonts are compressed already; source maps are loaded only by developer tools.
 */
export async function compressFiles(dir: string): Promise<void> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile() && /\.(js|css|html|svg|webmanifest)$/.test(one.name));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      const bytes = await readFile(path);
      if (bytes.length < smallest) return;
      await writeFile(`${path}.br`, await brotli(bytes, { params: paramsFor(bytes.length) }));
      await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }));
    }),
  );
}

const brotli = promisify(brotliCompress);

function paramsFor(length: number): Record<number, number> {
  return {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: length,
  };
}
