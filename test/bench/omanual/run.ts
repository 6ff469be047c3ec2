/**
 * `npm run bench:omanual`: the guides of the demo with their pictures as one archive, written and read, beside ZIP
 * alone for the same bytes (README.md of this folder).
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { crc32 } from 'node:zlib';

import { Unzip, UnzipInflate, unzipSync, Zip, ZipDeflate, ZipPassThrough } from 'fflate';

import type { ArchivedGuide } from '#shared/formats/omanual/archive.ts';
import '#server/platform/native-sums.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { roundTripFolder } from '#shared/formats/omanual/round-trip.ts';
import { bytesSource } from '#shared/formats/omanual/source.ts';
import { writeArchive } from '#shared/formats/omanual/write.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';

import { median, tableOf, type Figure } from '../table.ts';
import { contentOf, copiesOf, demoGuides, type DemoGuides } from './content.ts';
import { openedOnDevice, type OnDevice } from './device.ts';
import { durableSeconds } from './durable.ts';
import { measureHostile } from './hostile.ts';
import { measureLarge } from './large.ts';
import { exportSeconds, importCost } from './server.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    copies: { type: 'string', default: '1' },
    /** Measures a large archive instead, including memory. */
    large: { type: 'boolean', default: false },
    megabytes: { type: 'string', default: '1024' },
    /** Measures hostile archives instead. */
    hostile: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});

type Bytes = Uint8Array<ArrayBuffer>;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function write(demo: DemoGuides): Promise<Bytes> {
  const chunks: Bytes[] = [];
  await writeArchive(
    contentOf(demo),
    { write: async (bytes) => void chunks.push(bytes) },
    { media: 'inside' },
  );
  return joined(chunks);
}

/** A plain ZIP program for the same members: compresses texts, stores compressed files. */
async function zip(members: Record<string, Bytes>): Promise<Bytes> {
  const chunks: Bytes[] = [];
  await new Promise<void>((resolve, reject) => {
    const archive = new Zip((error, chunk, isLast) => {
      if (error !== null) reject(error);
      chunks.push(chunk);
      if (isLast) resolve();
    });
    for (const [name, bytes] of Object.entries(members)) {
      const isText = /\.(?:xml|json)$/.test(name);
      const member = isText ? new ZipDeflate(name, { level: 6 }) : new ZipPassThrough(name);
      archive.add(member);
      member.push(bytes, true);
    }
    archive.end();
  });
  return joined(chunks);
}

/** A plain program that extracts an archive in pieces, like the reader, with every checksum. */
function unzip(archiveBytes: Bytes): number {
  let sums = 0;
  const pieces = new Unzip((file) => {
    let sum = 0;
    file.ondata = (error, bytes, isLast) => {
      if (error !== null) throw error;
      sum = crc32(bytes, sum);
      if (isLast) sums ^= sum;
    };
    file.start();
  });
  pieces.register(UnzipInflate);
  for (let at = 0; at < archiveBytes.length; at += pieceSize) {
    pieces.push(archiveBytes.subarray(at, at + pieceSize), at + pieceSize >= archiveBytes.length);
  }
  return sums;
}

const pieceSize = 256 * 1024;

/** Reads everything: each guide as facts, each file to its last byte. */
async function read(archiveBytes: Bytes): Promise<ArchivedGuide[]> {
  const archive = await openArchive(bytesSource(archiveBytes), 'demo.omanual');
  const guides: ArchivedGuide[] = [];
  for (const { member } of archive.entries) {
    const guide = await archive.guide(member);
    for (const medium of guide.media) {
      if (medium.member === null) continue;
      for await (const chunk of await archive.media(medium.member)) checked += chunk.length;
    }
    guides.push(guide);
  }
  return guides;
}

/** Bytes of read files, so that no part of reading can be optimised away. */
let checked = 0;

async function main(): Promise<void> {
  say('Drawing the pictures of the demo …');
  const demo = copiesOf(await demoGuides(), Number(values.copies));
  const bytes = await write(demo);
  const members = unzipSync(bytes) as Record<string, Bytes>;
  const foreign = await zip(
    Object.fromEntries(Object.entries(members).filter(([name]) => !name.startsWith(roundTripFolder))),
  );
  await checkSame(demo, bytes);
  const megabytes = Object.values(members).reduce((sum, member) => sum + member.length, 0) / 1_000_000;
  say(`${demo.guides.length} guides, ${Object.keys(members).length} members, ${megabytes.toFixed(1)} MB`);
  const work = {
    write: () => write(demo),
    zip: () => zip(members),
    read: () => read(bytes),
    readForeign: () => read(foreign),
    unzip: async () => unzip(bytes),
  };
  const seconds = await times(work);
  const rates = (name: keyof typeof work): { perSecond: number; guides: number } => ({
    perSecond: megabytes / median(seconds[name]),
    guides: demo.guides.length / median(seconds[name]),
  });
  const figure = (what: string, name: keyof typeof work, floor: 'zip' | 'unzip'): Figure[] => [
    {
      what,
      value: rates(name).perSecond,
      unit: 'MB/s',
      floor: { what: `raw ${floor} of the same bytes`, value: rates(floor).perSecond },
      note: 'aim 2.00x',
    },
    { what: '', value: rates(name).guides, unit: 'guides/s' },
  ];
  const cost = await importCost(bytes, demo.guides.length, Number(values.rounds));
  const pictures = [...demo.files.values()].map((file) => file.bytes);
  const durable: number[] = [];
  for (let round = 0; round < Number(values.rounds); round += 1) durable.push(await durableSeconds(pictures));
  const exports = await exportSeconds(bytes, demo.guides.length);
  const onServer = (what: string, taken: number, floor: 'zip' | 'unzip', note: string): Figure[] => [
    {
      what,
      value: megabytes / taken,
      unit: 'MB/s',
      floor: { what: `raw ${floor} of the same bytes`, value: rates(floor).perSecond },
      note,
    },
    { what: '', value: demo.guides.length / taken, unit: 'guides/s' },
  ];
  const device = await onDevice(bytes, demo.guides.length);
  say('');
  say(
    tableOf([
      ...figure('write', 'write', 'zip'),
      ...figure('read', 'read', 'unzip'),
      ...figure('read without our own members', 'readForeign', 'unzip'),
      imported(megabytes / cost.seconds, megabytes / median(durable)),
      { what: '', value: demo.guides.length / cost.seconds, unit: 'guides/s' },
      { what: 'of this, the upload', value: cost.upload * 1000, unit: 'ms' },
      {
        what: 'processor time',
        value: (cost.processor * 1000) / megabytes,
        unit: 'ms/MB',
        note: 'of the server and its worker, which starts',
      },
      { what: 'longest pause', value: cost.pause * 1000, unit: 'ms', note: 'aim 100 ms on an idle machine' },
      ...onServer('make and download', exports, 'zip', 'once'),
      {
        what: 'open on a device (OPFS, index)',
        value: megabytes / (device.copy + device.index),
        unit: 'MB/s',
        floor: { what: 'raw unzip of the same bytes in the browser', value: megabytes / device.unzip },
        note: 'once, on an empty device',
      },
      { what: '', value: demo.guides.length / (device.copy + device.index), unit: 'guides/s' },
      { what: 'memory that this adds', value: device.addedMemory / 1e6, unit: 'MB', note: 'at most 200 MB' },
    ]),
  );
}

function imported(value: number, durable: number): Figure {
  return {
    what: 'import over HTTP',
    value,
    unit: 'MB/s',
    floor: { what: 'a durable file of each picture, made by a plain program', value: durable },
    note: 'median, each on an empty server',
  };
}

async function onDevice(bytes: Bytes, guides: number): Promise<OnDevice> {
  await using folder = await temporaryFolder('bench-archive');
  const path = join(folder.path, 'demo.omanual');
  await writeFile(path, bytes);
  return await openedOnDevice(path, guides, '');
}

/** Seconds of each kind of work, in turns, so that other load affects all in the same way. */
async function times<K extends string>(
  work: Record<K, () => Promise<unknown>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(work) as K[];
  const found = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<K, number[]>;
  for (let round = -1; round < Number(values.rounds); round += 1) {
    for (const name of names) {
      const start = performance.now();
      await work[name]();
      // The first round only warms up.
      if (round >= 0) found[name].push((performance.now() - start) / 1000);
    }
  }
  return found;
}

/** Checks that the content read equals the content written, to the byte. */
async function checkSame(demo: DemoGuides, bytes: Bytes): Promise<void> {
  const facts = (await read(bytes)).map((guide) => guide.facts);
  const again = await write({ ...demo, guides: facts });
  if (Buffer.compare(bytes, again) !== 0) throw new Error('The archive of what was read is another one');
  if (checked === 0) throw new Error('No file was read');
}

function joined(chunks: readonly Bytes[]): Bytes {
  return Uint8Array.from(Buffer.concat(chunks));
}

if (values.hostile) say(await measureHostile(values.only));
else if (values.large) say(`\n${await measureLarge(Number(values.megabytes), say)}`);
else await main();
