import { invalid, Problem } from '#shared/api/problem.ts';
import { contextForJob } from '#server/core/job.ts';
import type { Services } from '#server/core/services.ts';
import { choiceFor, type IdChoice } from '#server/features/guides/import/ids.ts';

import { viewerAnswer, type GuideItem } from './answers.ts';
import { mirrorComments } from './comments.ts';
import { mirrorForms } from './forms.ts';
import { listGuides, mirrorGuides } from './guides.ts';
import { Media } from './media.ts';
import { mirrorPages } from './pages.ts';
import { mirrorPeople } from './people.ts';
import { Report, type Collection, type MirrorReport } from './report.ts';
import { orReport, type Run, type SiteViewer } from './run.ts';
import { NotHad, Source, SourceSilent, usualPace, type Pace } from './source.ts';
import { mirrorTagOrder } from './tags.ts';
import { mirrorTeams } from './teams.ts';
import { mirrorWorkLog } from './work-log.ts';

export interface MirrorOptions {
  /** The address of the site, with or without `/api/2.0`. */
  url: string;
  token: string | null;
  /** The name under which earlier runs copied the site. Default: its host, and its path if it has one. */
  site?: string | undefined;
  dryRun?: boolean | undefined;
  pace?: Pace | undefined;
  signal?: AbortSignal | undefined;
  /** Called with a sentence when the site does not answer and is called again later. */
  waits?: ((words: string) => void) | undefined;
  progress?: ((collection: Collection, done: number, total: number) => void) | undefined;
}

/**
 * Copies a site that has this API to this one, or brings what changed there since the last run.
 * @throws Problem 422 for an address that is none, 401 if the site refuses the token, 503 if it does not answer
 */
export async function mirrorSite(services: Services, options: MirrorOptions): Promise<MirrorReport> {
  const { pace = usualPace, dryRun = false, signal = new AbortController().signal } = options;
  const url = addressOf(options.url);
  const site = options.site ?? url.host + url.pathname.replace(/\/+$/, '');
  const report = new Report();
  const source = new Source({
    outbound: services.outbound,
    blobs: services.blobs,
    url,
    token: options.token,
    pace,
    now: services.now,
    random: () => Buffer.from(services.randomBytes(4)).readUInt32BE() / 2 ** 32,
    signal,
    waits: options.waits ?? (() => undefined),
  });
  const viewer = await viewerThere(source, options.token);
  const before = await beginRun(services, site, viewer, dryRun);
  const run: Run = {
    services,
    source,
    media: new Media(services, source, report),
    site,
    ids: before.ids,
    report,
    viewer,
    deletes: before.deletes,
    dryRun,
    signal,
    together: pace.together,
    cursors: before.cursors,
    authors: new Map(),
    progress: options.progress ?? (() => undefined),
  };
  const result = await runAll(run);
  if (!dryRun) await endRun(services, run, result.stopped === null);
  return {
    site,
    ids: run.ids,
    dryRun,
    finished: result.stopped === null,
    stopped: result.stopped,
    collections: report.counts(),
    missing: report.missing,
    kept: report.kept,
    notes: report.notes,
    calls: source.calls,
  };
}

function addressOf(text: string): URL {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw invalid('url', 'The address must begin with http:// or https://');
  if (url.username !== '' || url.password !== '')
    throw invalid('url', 'The address must not contain a user name or password');
  url.search = '';
  url.hash = '';
  url.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api\/2\.0$/, '');
  return url;
}

/** As whom the token reads. @throws Problem 401 or 503 */
async function viewerThere(source: Source, token: string | null): Promise<SiteViewer | null> {
  if (token === null) return null;
  try {
    const { userid, privileges } = await source.read('/user', viewerAnswer);
    return { userid, isAdmin: privileges.includes('Admin') };
  } catch (error) {
    if (!(error instanceof NotHad)) throw error;
    if (error.status === 401)
      throw new Problem('unauthorized', `The site refuses the token: ${error.message}`);
    throw new Problem('unavailable', `The site cannot be read: ${error.message}`);
  }
}

interface Before {
  ids: IdChoice;
  deletes: boolean;
  cursors: Map<string, number>;
}

/** What earlier runs left, and the row of the site. An administrator sees every record, others only some. */
async function beginRun(
  services: Services,
  site: string,
  viewer: SiteViewer | null,
  dryRun: boolean,
): Promise<Before> {
  const stored = await services.storage.reader
    .selectFrom('mirror_sources')
    .selectAll()
    .where('site', '=', site)
    .executeTakeFirst();
  const name = JSON.stringify(viewer);
  const deletes = viewer?.isAdmin === true || stored === undefined || stored.viewer === name;
  if (stored !== undefined)
    return {
      ids: stored.ids as IdChoice,
      deletes,
      cursors: new Map(Object.entries(JSON.parse(stored.cursors) as Record<string, number>)),
    };
  const ids = await contextForJob(services, null, async (ctx) => {
    const choice = await choiceFor(ctx, site);
    if (!dryRun)
      await ctx.db
        .insertInto('mirror_sources')
        .values({
          site,
          ids: choice,
          viewer: name,
          cursors: '{}',
          started_date: ctx.seconds,
          finished_date: null,
        })
        .execute();
    return choice;
  });
  return { ids, deletes, cursors: new Map() };
}

async function endRun(services: Services, run: Run, isFinished: boolean): Promise<void> {
  await contextForJob(services, null, async (ctx) => {
    await ctx.db
      .updateTable('mirror_sources')
      .set({
        cursors: JSON.stringify(Object.fromEntries(run.cursors)),
        ...(run.deletes ? { viewer: JSON.stringify(run.viewer) } : {}),
        ...(isFinished ? { finished_date: ctx.seconds } : {}),
      })
      .where('site', '=', run.site)
      .execute();
  });
}

/** Copies every collection, in an order in which records find what they refer to. */
async function runAll(run: Run): Promise<{ stopped: string | null }> {
  const list = (collection: Collection, what: string, work: () => Promise<void>): Promise<boolean> =>
    orReport(run, collection, what, work);
  try {
    await list('people', 'the list of people', () => mirrorPeople(run));
    await list('teams', 'the list of teams', () => mirrorTeams(run));
    await list('tags', 'the list of tags', () => mirrorTagOrder(run));
    const guides: GuideItem[] = [];
    const hasGuides = await list('guides', 'the list of guides', async () => {
      guides.push(...(await listGuides(run)));
    });
    // Pages of categories come before their guides and go after them.
    const { deletePages } = await mirrorPages(run);
    if (hasGuides) await mirrorGuides(run, guides);
    await deletePages();
    await list('comments', 'the list of comments', () => mirrorComments(run));
    if (hasGuides) await mirrorForms(run, guides);
    if (run.viewer === null)
      run.report.lack('work log', 'the list of entries', 'It is read with a token only');
    else await list('work log', 'the list of entries', () => mirrorWorkLog(run));
    return { stopped: null };
  } catch (error) {
    if (!(error instanceof SourceSilent)) throw error;
    return { stopped: `The site does not answer any more (${error.message})` };
  }
}
