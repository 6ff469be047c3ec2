import { z } from 'zod';

import { invalid, Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { readLimits, type ReadLimits } from '#shared/formats/omanual/limits.ts';
import type { ZipMember } from '#shared/formats/omanual/zip-directory.ts';
import { ZipReader } from '#shared/formats/omanual/zip-reader.ts';
import { must } from '#shared/must.ts';
import { RefusedAddress, publicMessageOf, TooLong } from '#server/platform/outbound.ts';
import type { Services } from '#server/core/services.ts';
import { contextForJob } from '#server/core/job.ts';
import { jobKind, JobCancelled, type RunningJob } from '#server/jobs/kind.ts';
import { completeImport, failImport } from '#server/features/external-training-modules/imports.ts';

import { readPackage } from './manifests/read-package.ts';
import { PackageRefused, type PackageFiles, type TrainingPackage } from './package.ts';

/** Kind of the jobs that import packages. */
export const importJobKind = 'training-import';

/**
 * Limits for fetching a package.
 *
 * - TRAINING-6 A package is fetched only from addresses that the server may call, checked at each redirect: at most
 *   512 MB, 60 s, 3 redirects.
 */
export const fetchLimits = { bytes: 512 * 1024 ** 2, timeoutMs: 60_000, redirects: 3 };

/**
 * Limits of an unpacked package.
 *
 * - TRAINING-7 A package may have 20,000 files and 2 GB. The reader of archives
 *   (`shared/formats/omanual/zip-reader.ts`) refuses names that lead outside, links, encryption and zip bombs. No name
 *   in a package becomes a path on disk.
 */
const limits: ReadLimits = { ...readLimits, members: 20_000, totalBytes: 2 * 1024 ** 3 };

/** `url`: the address of the package; null if it was uploaded. `name`: the name under which it is stored. */
const input = z.strictObject({ importid: z.int(), url: z.string().nullable(), name: z.string() });
export type ImportInput = z.infer<typeof input>;
const nothing = z.strictObject({});

/**
 * Imports a package: fetches it, reads the manifest, unpacks it, and then creates a version of the module in one
 * transaction. After a kill it starts again with the stored package, or fetches it again.
 */
export const importJob = jobKind({
  kind: importJobKind,
  input,
  cursor: nothing,
  result: nothing,
  async run(job, services) {
    try {
      await importPackage(job, services);
      return {};
    } catch (error) {
      throw problemOf(error, services);
    }
  },
  async abandon({ input: { importid } }, services, error) {
    await services.training.files.clear(importid);
    await contextForJob(services, null, (ctx) => failImport(ctx, importid, errorMessage(error)));
  },
});

function errorMessage(error: unknown): string {
  return error instanceof Problem ? error.message : 'The server failed; the import may be begun again';
}

/** Turns errors of the package into problems with words for people; other errors are returned unchanged. */
function problemOf(error: unknown, { log }: Services): unknown {
  if (error instanceof PackageRefused || error instanceof ArchiveRefused)
    return invalid('package', error.message.replace(/\.$/, ''));
  if (error instanceof RefusedAddress) return invalid('url', publicMessageOf(error, log));
  return error;
}

async function importPackage(job: RunningJob<ImportInput, object>, services: Services): Promise<void> {
  const { importid, url, name } = job.input;
  const { files } = services.training;
  if (url !== null && !(await files.hasPackage(name))) await fetchPackage(job, url, services);
  await using source = await files.openPackage(name);
  const zip = await ZipReader.open(source, limits);
  const members = [...zip.members.values()].filter((member) => !member.name.endsWith('/'));
  const found = await readPackage(filesOf(zip));
  await files.unpack(importid, async (write) => {
    for (const [number, member] of members.entries()) {
      await job.pause();
      job.progress(number, members.length, 'Unpacking');
      await write(number, zip.pieces(member));
    }
  });
  await job.pause();
  await store(job, services, found, members);
  await files.dropPackage(name);
}

async function store(
  { input: { importid }, userid }: RunningJob<ImportInput, object>,
  services: Services,
  found: TrainingPackage,
  members: ZipMember[],
): Promise<void> {
  const list = members.map(({ name, size }, number) => ({ path: name, number, size }));
  const isStored = await contextForJob(services, userid, (ctx) => completeImport(ctx, importid, found, list));
  // Cancelled at the last moment: the end of the job removes its files.
  if (!isStored) throw new JobCancelled();
}

function filesOf(zip: ZipReader): PackageFiles {
  const alike = new Map([...zip.members.keys()].toReversed().map((name) => [name.toLowerCase(), name]));
  return {
    has: (path) => zip.members.has(path),
    find: (path) => (zip.members.has(path) ? path : alike.get(path.toLowerCase())),
    paths: () => zip.members.keys(),
    pieces: (path) => zip.pieces(must(zip.members.get(path), path)),
  };
}

async function fetchPackage(
  job: RunningJob<ImportInput, object>,
  url: string,
  { outbound, training }: Services,
): Promise<void> {
  let size = 0;
  job.progress(0, 0, 'Fetching');
  await training.files.keepPackage(job.input.name, async (file) => {
    const { status } = await outbound
      .call(url, {
        timeoutMs: fetchLimits.timeoutMs,
        mostBytes: fetchLimits.bytes,
        redirects: fetchLimits.redirects,
        signal: job.signal,
        sink: async (piece) => {
          await file.writeFile(piece);
          size += piece.length;
        },
      })
      .catch((error: unknown) => {
        job.signal.throwIfAborted();
        throw fetchProblem(error);
      });
    if (status < 200 || status > 299) throw invalid('url', `The address answered ${status}`);
  });
  if (size === 0) throw invalid('url', 'The address answered with nothing');
}

function fetchProblem(error: unknown): Error {
  if (error instanceof RefusedAddress) return error;
  if (error instanceof TooLong)
    return invalid('url', `The package has more than ${fetchLimits.bytes / 1024 ** 2} MB`);
  if (error instanceof Error && error.name === 'TimeoutError')
    return invalid('url', 'The address did not answer in time');
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  return invalid('url', `The package could not be fetched${code}`);
}
