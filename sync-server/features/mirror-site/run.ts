import { z } from 'zod';

import { Problem } from '#shared/api/problem.ts';
import type { Context } from '#server/core/context.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Services } from '#server/core/services.ts';
import { ImportedIds, type IdChoice } from '#server/features/guides/import/ids.ts';

import { items } from './answers.ts';
import type { Media } from './media.ts';
import type { Collection, Report } from './report.ts';
import { NotHad, type Query, type Source } from './source.ts';

/** As whom a site is read; null: as nobody. */
export interface SiteViewer {
  userid: number;
  isAdmin: boolean;
}

/** One run of a mirror. */
export interface Run {
  services: Services;
  source: Source;
  media: Media;
  /** The name of the site in the tables. */
  site: string;
  ids: IdChoice;
  report: Report;
  viewer: SiteViewer | null;
  /** Whether records that are not listed any more may be deleted: it is the same viewer as before. */
  deletes: boolean;
  dryRun: boolean;
  signal: AbortSignal;
  /** Records that are read at the same time. */
  together: number;
  /** Time of the last complete reading of a list, UNIX seconds, by the name of the list. */
  cursors: Map<string, number>;
  /** Authors who are not in the list of people, and are copied with what they wrote. */
  authors: Map<number, Promise<void>>;
  /** Shows how far a collection is. */
  progress(collection: Collection, done: number, total: number): void;
}

/** Stores one record in one transaction, as the site itself. */
export function write<T>(run: Run, work: (ctx: Context, ids: ImportedIds) => Promise<T>): Promise<T> {
  return contextForJob(run.services, null, (ctx) => work(ctx, new ImportedIds(ctx, run.site)));
}

/** A list with more pages does not end. */
const mostPages = 10_000;
const pageSize = 200;

/**
 * Reads a list page by page until a page has nothing new. Items that are not understood are reported. Throws NotHad if a
 * page cannot be had.
 */
export async function listed<T extends z.ZodType>(
  run: Run,
  path: string,
  item: T,
  options: {
    collection: Collection;
    key: (one: z.output<T>) => string | number;
    query?: Query;
    page?: z.ZodType<unknown[] | { results: unknown[]; moreResults?: boolean | undefined }>;
  },
): Promise<z.output<T>[]> {
  const { collection, key, query = {}, page = items } = options;
  const found = new Map<string | number, z.output<T>>();
  for (let count = 0; count < mostPages; count += 1) {
    const answer = await run.source.read(path, page, { ...query, limit: pageSize, offset: count * pageSize });
    const { results, moreResults = true } = Array.isArray(answer) ? { results: answer } : answer;
    let fresh = 0;
    for (const [index, value] of results.entries()) {
      const parsed = item.safeParse(value);
      if (!parsed.success) {
        const place = `item ${count * pageSize + index + 1} of ${path}`;
        run.report.lack(collection, place, faultOf(parsed.error));
        continue;
      }
      const name = key(parsed.data);
      if (found.has(name)) continue;
      fresh += 1;
      found.set(name, parsed.data);
    }
    if (results.length === 0 || fresh === 0 || !moreResults) return [...found.values()];
  }
  throw new NotHad(`The list has more than ${(mostPages * pageSize).toLocaleString('en')} items`, null);
}

/** Works on several records at the same time. A record that fails is reported and does not end the run. */
export async function forEach<T>(
  run: Run,
  collection: Collection,
  records: readonly T[],
  nameOf: (record: T) => string,
  work: (record: T) => Promise<void>,
): Promise<void> {
  const waiting = records.values();
  let done = 0;
  const worker = async (): Promise<void> => {
    for (const record of waiting) {
      run.signal.throwIfAborted();
      await orReport(run, collection, nameOf(record), () => work(record));
      done += 1;
      run.progress(collection, done, records.length);
    }
  };
  const all = await Promise.allSettled(Array.from({ length: run.together }, worker));
  for (const one of all) if (one.status === 'rejected') throw one.reason;
}

/** Runs `work`; if it fails because of the record or the site, that is reported. Returns whether it succeeded. */
export async function orReport(
  run: Run,
  collection: Collection,
  what: string,
  work: () => Promise<void>,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    run.signal.throwIfAborted();
    run.report.lack(collection, what, reasonOf(error));
    return false;
  }
}

/** What is wrong with an answer, in one line. */
export function faultOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  return `The answer is not as the API says: ${issue?.path.join('.')}: ${issue?.message}`;
}

/** Why a record was not copied, in words; throws what is no fault of the record. */
function reasonOf(error: unknown): string {
  if (error instanceof NotHad) return error.message;
  if (error instanceof z.ZodError) return faultOf(error);
  if (error instanceof Problem && error.kind !== 'unavailable') {
    const [first] = error.details.errors ?? [];
    return `It cannot be stored here: ${first === undefined ? error.message : `${first.field}: ${first.message}`}`;
  }
  throw error;
}

/**
 * What the site says of a record that its list does not have: `gone` if it does not exist there any more, `there` if it
 * does, or why it cannot be had. Administrators can read deleted comments, which say that they are deleted.
 */
export async function absenceOf(
  run: Run,
  path: string,
): Promise<'gone' | 'there' | { status: number; why: string }> {
  try {
    const { status } = await run.source.read(path, z.object({ status: z.unknown() }).catch({ status: null }));
    return status === 'deleted' ? 'gone' : 'there';
  } catch (error) {
    if (!(error instanceof NotHad)) throw error;
    if (error.status === 404 || error.status === 410) return 'gone';
    if (error.status === 401 || error.status === 403) return { status: error.status, why: error.message };
    throw error;
  }
}
