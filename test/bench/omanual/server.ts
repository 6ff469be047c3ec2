import type { MadeArchive } from '#shared/model/archive-record.ts';
import { must } from '#shared/must.ts';
import { downloaded, imported } from '#test/support/archive-calls.ts';
import { startServer } from '#test/support/server.ts';

import { median } from '../table.ts';
import { ImportServer } from './import-process.ts';

/** What importing an archive costs an empty server. */
export interface ImportCost {
  /** From the first byte sent to the end of the import. */
  seconds: number;
  /** Of these, until the last byte was received. */
  upload: number;
  /** Processor time of the server and its child processes. */
  processor: number;
  /** The longest pause of the server's event loop. */
  pause: number;
}

/** The medians of some imports, each by a fresh server in a process of its own. */
export async function importCost(
  archive: Uint8Array<ArrayBuffer>,
  guides: number,
  rounds: number,
): Promise<ImportCost> {
  const all: ImportCost[] = [];
  for (let round = 0; round < rounds; round += 1) all.push(await importOnce(archive, guides));
  const of = (name: keyof ImportCost): number => median(all.map((one) => one[name]));
  return { seconds: of('seconds'), upload: of('upload'), processor: of('processor'), pause: of('pause') };
}

async function importOnce(archive: Uint8Array<ArrayBuffer>, guides: number): Promise<ImportCost> {
  await using server = await ImportServer.start();
  await server.ask('memory');
  const before = server.processor();
  const start = performance.now();
  const importid = await server.send(archive);
  const upload = performance.now() - start;
  await server.ask('idle');
  const all = performance.now() - start;
  const { state, report } = await server.read(importid);
  if (state !== 'done' || report?.created !== guides)
    throw new Error(`The import ended as ${state}: ${JSON.stringify(report)}`);
  return {
    seconds: all / 1000,
    upload: upload / 1000,
    processor: (server.processor() - before) / 1000,
    pause: (await server.ask('pause')) / 1000,
  };
}

/** Seconds that a server takes to export and send everything that it imported. */
export async function exportSeconds(archive: Uint8Array<ArrayBuffer>, guides: number): Promise<number> {
  await using server = await startServer({ checked: false });
  const person = await server.person('Ana', ['User', 'Author', 'Moderator', 'Admin']);
  const { state, report } = await imported(server, person, archive);
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
  return exports / 1000;
}
