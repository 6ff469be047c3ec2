import type { MadeArchive } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';
import { downloaded, imported } from '#test/support/archive-calls.ts';
import { startServer } from '#test/support/server.ts';

/** Seconds that an empty server takes to import an uploaded archive, and to export everything it then has. */
export async function serverSeconds(
  archive: Uint8Array<ArrayBuffer>,
  guides: number,
): Promise<{ import: number; export: number }> {
  await using server = await startServer({ checked: false });
  const person = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
  const start = performance.now();
  const { state, report } = await imported(server, person, archive);
  const imports = performance.now() - start;
  if (state !== 'done') throw new Error(`The import ended as ${state}: ${JSON.stringify(report)}`);

  const begin = performance.now();
  const made = await person.call('POST', '/omanual/archives', { site: true });
  await server.jobs.idle();
  const { archiveid } = made.body as MadeArchive;
  const found = (await person.call('GET', `/omanual/archives/${archiveid}`)).body as MadeArchive;
  const bytes = await downloaded(must(found.url, 'an archive'), person.token);
  const exports = performance.now() - begin;
  if (found.guides !== guides || bytes.length < archive.length / 2) {
    throw new Error(`The server has ${found.guides} guides in ${bytes.length} bytes`);
  }
  return { import: imports / 1000, export: exports / 1000 };
}
