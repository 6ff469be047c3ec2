import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { tableOf, type Figure } from '../table.ts';
import { openedOnDevice } from './device.ts';
import { writeLargeArchive, writeMarkedArchive } from './large-archive.ts';
import { runOf } from './process-memory.ts';

const program = fileURLToPath(new URL('../../../sync-server/cli/benchbook.ts', import.meta.url));
const small = fileURLToPath(new URL('../../fixtures/omanual/own/minimal-1.0.omanual', import.meta.url));

/** Maximum memory for a package of 1 GB (README of shared/formats/omanual, OMANUAL-READ-6), bytes. */
const mostMemory = 200e6;

const inMegabytes = (bytes: number): number => bytes / 1e6;

/**
 * Makes an archive of this number of megabytes, lets the command line read, check and convert it, and a device in
 * Chromium open it. Returns a table. Exceeding the promised memory makes the process exit with 1.
 */
export async function measureLarge(megabytes: number, say: (line: string) => void): Promise<string> {
  await using folder = await temporaryFolder('bench-large');
  const path = join(folder.path, 'large.omanual');
  say(`Writing an archive of ${megabytes} MB …`);
  const archive = await writeLargeArchive(path, megabytes);
  const size = inMegabytes(archive.bytes);
  say(`${archive.guides} guides, ${archive.pictures} pictures, ${size.toFixed(0)} MB`);
  const figures: Figure[] = [];
  const memory = (what: string, bytes: number, note: string): void => {
    if (bytes > mostMemory) process.exitCode = 1;
    figures.push({ what, value: inMegabytes(bytes), unit: 'MB', note });
  };
  const target = join(folder.path, 'converted.omanual');
  for (const args of [
    ['show', small],
    ['show', path],
    ['check', path],
    ['convert', path, target],
  ]) {
    const isSmall = args.includes(small);
    const use = await runOf(program, ['omanual', ...args]);
    const what = `omanual ${args[0]}${isSmall ? ' of a small file' : ''}`;
    if (!isSmall) figures.push({ what, value: size / use.seconds, unit: 'MB/s' });
    memory(isSmall ? what : 'whole process', use.memory, 'at most 200 MB');
  }
  await rm(target);
  const markedPath = join(folder.path, 'marked.omanual');
  const pictures = await writeMarkedArchive(markedPath);
  const drawn = await runOf(program, ['omanual', 'convert', markedPath, target]);
  const drawing = 'omanual convert, markers drawn';
  figures.push({ what: drawing, value: pictures / drawn.seconds, unit: 'pictures/s' });
  memory('whole process', drawn.memory, 'at most 200 MB; pictures of 1600 × 1200');
  const device = await openedOnDevice(path, archive.guides, archive.word);
  figures.push(
    { what: 'device: copy', value: size / device.copy, unit: 'MB/s' },
    { what: 'device: index', value: archive.guides / device.index, unit: 'guides/s' },
    {
      what: 'device: show a guide',
      value: device.show * 1000,
      unit: 'ms',
      note: `${device.pictures} pictures`,
    },
    {
      what: 'device: search',
      value: device.search * 1000,
      unit: 'ms',
      note: 'until the last guide is found',
    },
  );
  memory('device: heap and buffers added', device.addedMemory, 'at most 200 MB');
  if (device.addedProcess !== null)
    memory('device: process of the page added', device.addedProcess, 'at most 200 MB; garbage counts');
  return tableOf(figures);
}
