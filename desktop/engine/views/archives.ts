import { combineLatest, distinctUntilChanged, map, type Observable, of, switchMap } from 'rxjs';

import { sameValue } from '#shared/rules/same-value.ts';
import type { ArchiveImport } from '#shared/model/archive-record.ts';
import type { Finding } from '#shared/formats/omanual/archive.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import { rowOf } from '../features/archives/archive-service.ts';
import type { ComingArchive, ArchiveNews } from '../api/archives.ts';
import { archivedFileId } from '../features/archives/ids.ts';
import { mayLoadLinks, ownerOf } from '../storage/archive-record.ts';
import type { ArchiveIndex, GuideBrief } from '../storage/archive-rows.ts';
import type { StoredArchive } from '../features/archives/archive-store.ts';
import type { Services } from '../features/services.ts';
import type {
  ArchiveCard,
  ArchivedGuideCard,
  ArchiveFinding,
  ArchivePage,
  ArchiveQuery,
  ArchiveState,
  ImportCard,
  ServerArchive,
  TaggedGuides,
} from '../api/archive-records.ts';
import { type FindTwin, libraryTwins } from './archive-twins.ts';
import { archiveContext } from './archived-guide.ts';
import { buildTree, type CategoryEdge, categoryEdges, subtreeOf } from '../features/records/category-tree.ts';
import { cardFacts, compareCards, foundCards } from './guide-card.ts';
import type { SearchHit } from '../features/records/guide-index.ts';
import type { Sources } from '../features/records/sources.ts';
import type { Session } from '../api/sync-records.ts';
import { sampled } from '../features/records/sampled.ts';

/** The archives of this device, newest first. */
export function archives(services: Services): Observable<ArchiveCard[]> {
  return shownArchives(services).pipe(
    map((all) => all.map((one) => one.card).toSorted((a, b) => b.addedAt - a.addedAt)),
  );
}

/** Number of new versions, and archives that were removed from this device. */
export function archiveNews({ archives: { news, downloads } }: Services): Observable<ArchiveNews> {
  return news.news(downloads.known).pipe(distinctUntilChanged<ArchiveNews>(sameValue));
}

/** Archives that the session's server is making or could not make. */
export function comingArchives({ archives: { downloads } }: Services): Observable<ComingArchive[]> {
  return downloads.coming.pipe(distinctUntilChanged<ComingArchive[]>(sameValue));
}

/** Archives that the session's server offers, with the copies on this device; null while unknown. */
export function serverArchives(services: Services): Observable<ServerArchive[] | null> {
  const { store, downloads } = services.archives;
  const { session } = services.sources.core;
  return combineLatest([downloads.offered, store.archives]).pipe(
    map(([offered, all]) => {
      const { server } = session.current();
      const ids = new Map(
        all.flatMap(({ record: { origin, archiveid, fetching } }) =>
          origin.kind === 'server' &&
          !origin.private &&
          origin.server === server &&
          fetching?.replaces == null
            ? [[origin.name, archiveid] as const]
            : [],
        ),
      );
      return (
        offered?.map(({ name, title, bytes, guides, madeAt }) => ({
          name,
          title,
          bytes,
          guides,
          madeAt,
          archiveid: ids.get(name) ?? null,
        })) ?? null
      );
    }),
  );
}

/** The latest imports, newest first; null while the server cannot be asked. */
export function archiveImports({ archives: { imports } }: Services): Observable<ImportCard[] | null> {
  return imports.list.pipe(map((list) => list?.map(importCard) ?? null));
}

function importCard(one: ArchiveImport): ImportCard {
  const { importid, filename, created_date, dry_run, report, error, progress, undo } = one;
  const { created = 0, changed = 0, skipped = 0, media = 0 } = report ?? {};
  const undoing = undo?.state === 'done' ? 'undone' : 'undoing';
  const state = undo === null || undo.state === 'failed' ? one.state : undoing;
  const isMoving = state === 'running' || state === 'undoing';
  const { done, total } = state === 'undoing' ? (undo?.progress ?? progress) : progress;
  return {
    importid,
    filename,
    at: created_date * 1000,
    isTrial: dry_run,
    state,
    progress: isMoving && total > 0 ? { done, total } : null,
    result: report === null || one.state !== 'done' ? null : { created, changed, skipped, media },
    items: report?.items.map(({ kind, title, action }) => ({ kind, title, action })) ?? [],
    report: report?.findings.map(findingOf) ?? [],
    problem: undo?.error?.message ?? error?.message ?? null,
    isFileGone: one.file === 'gone',
    rules: { existing: one.existing, visibility: one.visibility, author: one.author },
  };
}

interface Shown {
  card: ArchiveCard;
  index: ArchiveIndex | null;
  /** Whether what it only links to may be loaded. */
  mayLoad: boolean;
}

/**
 * The archives that the person may see. Those that were made for somebody else are left out (archives README,
 * ARCHIVE-7).
 */
function shownArchives({ archives: { store, downloads }, sources }: Services): Observable<Shown[]> {
  return combineLatest([store.archives, sources.core.session.state, downloads.offered]).pipe(
    map(([all, session, offered]) => {
      const current = new Map(offered?.map(({ name, path }) => [name, path]));
      return all
        .filter(({ record: { origin, fetching } }) => {
          if (fetching !== null && fetching.replaces !== null) return false;
          const owner = ownerOf(origin);
          return owner === null || isOf(session, owner);
        })
        .map((archive) => {
          const next = all.find(({ record }) => record.fetching?.replaces === archive.record.archiveid);
          return {
            card: cardOf(archive, next, current, session),
            index: archive.index,
            mayLoad: mayLoadLinks(archive.record),
          };
        });
    }),
  );
}

function isOf({ server, user }: Session, origin: { server: string; userid: number }): boolean {
  return server === origin.server && user?.userid === origin.userid;
}

function cardOf(
  archive: StoredArchive,
  next: StoredArchive | undefined,
  offered: ReadonlyMap<string, string>,
  session: Session,
): ArchiveCard {
  const { record, index, bytes } = archive;
  const { archiveid, filename, addedAt, origin } = record;
  const atWork = next ?? archive;
  const path =
    origin.kind === 'server' && origin.server === session.server ? offered.get(origin.name) : undefined;
  return {
    archiveid,
    title: index?.title ?? filename.replace(/\.(omanual|oman|zip|xml)$/i, ''),
    filename,
    bytes,
    addedAt,
    origin: origin.kind,
    from: origin.kind === 'url' ? origin.url : origin.kind === 'server' ? origin.server : (index?.base ?? ''),
    producer: index?.producer ?? 'unknown',
    version: index?.version ?? '',
    guides: index?.guides ?? 0,
    findings: index?.findings.length ?? 0,
    state: stateOf(atWork),
    progress: atWork.progress ?? progressOf(atWork),
    problem: atWork.problem,
    private: ownerOf(origin) !== null,
    serverName: origin.kind === 'server' && !origin.private ? origin.name : null,
    linked: index?.linked === true,
    isOutdated: path !== undefined && origin.kind === 'server' && path !== origin.path && next === undefined,
  };
}

function stateOf({ record: { fetching }, problem, isRead }: StoredArchive): ArchiveState {
  if (fetching?.paused === true) return 'paused';
  if (fetching !== null) return fetching.problem === null ? 'fetching' : 'broken-off';
  if (problem !== null) return 'unusable';
  return isRead ? 'ready' : 'reading';
}

function progressOf({ record: { fetching }, bytes, kept }: StoredArchive): ArchiveCard['progress'] {
  return fetching === null ? null : { done: kept, total: bytes };
}

/** One archive with the guides that match a query. */
export function archive(services: Services, query: ArchiveQuery): Observable<ArchivePage | null> {
  const { archiveid } = query;
  const { store } = services.archives;
  const found = shownArchives(services).pipe(
    map((all) => all.find(({ card }) => card.archiveid === archiveid) ?? null),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
  return combineLatest([found, store.briefs(archiveid), libraryTwins(services), hits(services, query)]).pipe(
    map(([shown, guides, twins, searched]) =>
      shown === null ? null : pageOf(shown, guides, query, twins, searched),
    ),
  );
}

/** Search results; null when nothing is searched. */
function hits({ archives: service, sources }: Services, query: ArchiveQuery): Observable<SearchHit[] | null> {
  const words = query.search?.trim() ?? '';
  if (words === '') return of(null);
  return of(service.index(query.archiveid)).pipe(
    switchMap((index) =>
      index.version.pipe(
        sampled(sources.core.environment, 300),
        map(() => index.search(words)),
      ),
    ),
  );
}

function pageOf(
  { card, index, mayLoad }: Shown,
  guides: readonly GuideBrief[],
  { archiveid, category }: ArchiveQuery,
  twins: FindTwin,
  searched: SearchHit[] | null,
): ArchivePage {
  if (index === null) return { archive: card, categories: [], aboutHtml: '', guides: [], report: [] };
  const edges = edgesOf(index);
  const counts = Map.groupBy(guides, ({ category: title }) => title);
  const inside = category === null ? null : subtreeOf(category, edges);
  const cards = guides
    .filter((one) => inside === null || inside.has(one.category))
    .map((one) => guideCard(archiveid, one, twins(index, one)));
  return {
    archive: card,
    categories: buildTree(edges, new Map([...counts].map(([title, list]) => [title, list.length]))),
    aboutHtml: aboutOf({ ...index, mayLoad }, guides, archiveid, category),
    guides: searched === null ? cards.toSorted(compareCards) : foundCards(cards, searched),
    report: index.findings.map(findingOf),
  };
}

/** The categories with their parents. Either a category names its parent, or the parent lists it as a child. */
function edgesOf({ categories }: ArchiveIndex): CategoryEdge[] {
  const parents = new Map(
    categories.flatMap(({ facts, children }) => children.map((child) => [child, facts.title] as const)),
  );
  return categoryEdges(categories.map(({ facts }) => facts)).map((edge) => ({
    ...edge,
    parent: edge.parent ?? parents.get(edge.title) ?? null,
  }));
}

function aboutOf(
  { categories, base, mayLoad }: ArchiveIndex & { mayLoad: boolean },
  guides: readonly GuideBrief[],
  archiveid: string,
  category: string | null,
): string {
  const [only] = categories.length === 1 ? categories : [];
  const found = category === null ? only : categories.find((one) => one.facts.title === category);
  if (found === undefined) return '';
  const { facts, media } = found;
  const byNumber = new Map(guides.map((one) => [one.guideid, one]));
  const text = facts.contents_raw.trim() === '' ? facts.description : facts.contents_raw;
  return renderBlocks(
    text,
    archiveContext({ archiveid, place: 'categories', media, mayLoad }, base, byNumber),
  );
}

function guideCard(archiveid: string, one: GuideBrief, same: string | null): ArchivedGuideCard {
  const facts = cardFacts(rowOf(archiveid, one));
  return {
    ...facts,
    imageGuid:
      facts.imageGuid === null
        ? null
        : archivedFileId({ archiveid, place: one.place, guid: facts.imageGuid }),
    favorite: false,
    pending: false,
    readiness: { state: 'ready' },
    same,
  };
}

function findingOf({ kind, message, member, place }: Finding): ArchiveFinding {
  return { kind, message, place: [member, place].filter((part) => part !== '').join(' · ') };
}

/** The tags of guides on this device with their guides, sorted by name. */
export function taggedGuides({ guideTags }: Pick<Sources, 'guideTags'>): Observable<TaggedGuides[]> {
  return guideTags.pipe(
    map((tagsOf) => {
      const pairs = [...tagsOf].flatMap(([guideid, tags]) => tags.map((tag) => ({ tag, guideid })));
      return [...Map.groupBy(pairs, ({ tag }) => tag)]
        .map(([tag, some]) => ({ tag, guideids: some.map(({ guideid }) => guideid) }))
        .toSorted((a, b) => a.tag.localeCompare(b.tag));
    }),
  );
}
