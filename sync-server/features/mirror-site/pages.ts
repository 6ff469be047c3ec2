import { wikiNamespaces, type WikiFacts, type WikiNamespace } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';
import { addCategory } from '#server/features/guides/import/import-guides.ts';
import { childTitles } from '#server/features/wikis/relatives.ts';
import { removeWikis } from '#server/features/wikis/remove.ts';
import { contentOf, findWiki, versionsOf, writeVersion } from '#server/features/wikis/store.ts';
import {
  moveName,
  moveTranslations,
  freeDeletedName,
  requireTreeTitle,
} from '#server/features/wikis/place.ts';
import { findDocument } from '#server/storage/feed.ts';

import {
  hierarchyAnswer,
  wikiAnswer,
  wikiItem,
  type Tree,
  type WikiAnswer,
  type WikiItem,
} from './answers.ts';
import { changedHere, deleteGone, type Gone } from './gone.ts';
import {
  allMirrored,
  findMirrored,
  fingerprint,
  forgetMirrored,
  rememberMirrored,
  type Mirrored,
} from './mirrored.ts';
import { contentHere, picturesOfPage } from './page-content.ts';
import { forEach, listed, orReport, write, type Run } from './run.ts';
import { mirrorPageTags } from './tags.ts';

/** A page that may have changed a second before it was listed is read again, seconds. */
const overlap = 120;

/**
 * Copies the pages of all namespaces, and the tree of categories. `deletePages` deletes those that are gone, once guides
 * have left their categories.
 *
 * - MIRRORSITE-5 A category or page that was here before the first run is replaced only if it has no text. A page that was
 *   renamed there is renamed here.
 */
export async function mirrorPages(run: Run): Promise<{ deletePages: () => Promise<void> }> {
  const parents = await categoryParents(run);
  const listedPages = new Set<string>();
  let isWhole = parents !== null;
  for (const namespace of wikiNamespaces) {
    const isListed = await orReport(run, 'pages', `pages of ${namespace}`, async () => {
      for (const source of await mirrorNamespace(run, namespace, parents)) listedPages.add(source);
      if (namespace !== 'CATEGORY' || run.dryRun) return;
      // After the pages, because one of them may have been renamed to such a title.
      for (const [title, parent] of parents ?? [])
        if (!listedPages.has(nameOf('CATEGORY', title)))
          await orReport(run, 'pages', nameOf('CATEGORY', title), () => mirrorCategory(run, title, parent));
    });
    isWhole &&= isListed;
  }
  for (const title of parents?.keys() ?? []) listedPages.add(nameOf('CATEGORY', title));
  return { deletePages: async () => (isWhole ? deletePages(run, listedPages) : undefined) };
}

function nameOf(namespace: WikiNamespace, title: string): string {
  return `${namespace}/${title}`;
}

/** The parent of each category there; null if the tree cannot be had. */
async function categoryParents(run: Run): Promise<Map<string, string | null> | null> {
  const parents = new Map<string, string | null>();
  const isRead = await orReport(run, 'pages', 'the tree of categories', async () => {
    const { hierarchy } = await run.source.read('/wikis/CATEGORY', hierarchyAnswer, {
      display: 'hierarchy',
      includeStubs: true,
    });
    addParents(hierarchy, null, parents);
  });
  return isRead ? parents : null;
}

/** Makes a category without text, or moves it, if it has none there and here. */
async function mirrorCategory(run: Run, title: string, parent: string | null): Promise<void> {
  const { site, services } = run;
  const source = nameOf('CATEGORY', title);
  const known = await findMirrored(services.storage.reader, site, 'wiki', source);
  const here =
    known === undefined ? undefined : await findDocument(services.storage.reader, 'wikis', known.id);
  // One with a page is moved with its page.
  if (known !== undefined && (known.seen !== '' || here === undefined || here.parent === parent)) return;
  await write(run, async (ctx) => {
    const { langid } = ctx.services.site;
    if (known === undefined) {
      if (!(await addCategory(ctx, title, parent))) return;
    } else if (here !== undefined && pageHere(here) === known.ours)
      await moveTranslations(ctx, await writeVersion(ctx, here, { ...contentOf(here), parent }, true));
    else return;
    const after = await findWiki(ctx.db, 'CATEGORY', title, here?.langid ?? langid);
    if (after === undefined) return;
    await rememberMirrored(ctx.db, site, 'wiki', {
      source,
      id: after.wikiid,
      seen: '',
      ours: pageHere(after),
    });
    run.report.count('pages', known === undefined ? 'copied' : 'changed');
  });
}

function addParents(tree: Tree, parent: string | null, parents: Map<string, string | null>): void {
  for (const [title, below] of Object.entries(tree)) {
    if (parents.has(title)) continue;
    parents.set(title, parent);
    addParents(below, title, parents);
  }
}

/** Copies the pages of a namespace; returns the names of those that are listed. */
async function mirrorNamespace(
  run: Run,
  namespace: WikiNamespace,
  parents: Map<string, string | null> | null,
): Promise<string[]> {
  const started = Math.floor(run.services.now() / 1000);
  const cursor = `wikis/${namespace}`;
  const options = { collection: 'pages', key: ({ title }: WikiItem) => title } as const;
  const path = `/wikis/${namespace}`;
  const pages = await listed(run, path, wikiItem, options);
  const since = run.cursors.get(cursor);
  // Some servers do not say when a page was modified.
  const isAsked = since !== undefined && pages.some(({ modified_date }) => modified_date === 0);
  const query = since === undefined ? {} : { modifiedSince: since - overlap };
  const changed = isAsked ? await listed(run, path, wikiItem, { ...options, query }) : pages;
  const titles = new Set(changed.map(({ title }) => title));
  let failed = 0;
  await forEach(
    run,
    'pages',
    pages,
    ({ title }) => nameOf(namespace, title),
    async (page) => {
      failed += 1;
      const parent = parents === null ? undefined : (parents.get(page.title) ?? null);
      await mirrorPage(run, namespace, page, { mayHaveChanged: titles.has(page.title), parent });
      failed -= 1;
    },
  );
  if (failed === 0 && !run.dryRun) run.cursors.set(cursor, started);
  return pages.map(({ title }) => nameOf(namespace, title));
}

async function mirrorPage(
  run: Run,
  namespace: WikiNamespace,
  page: WikiItem,
  { mayHaveChanged, parent }: { mayHaveChanged: boolean; parent: string | null | undefined },
): Promise<void> {
  const { services, site, report } = run;
  const { reader } = services.storage;
  const name = nameOf(namespace, page.title);
  const known = await findMirrored(reader, site, 'wiki', name);
  const here = known === undefined ? undefined : await findDocument(reader, 'wikis', known.id);
  const isMoved =
    namespace === 'CATEGORY' && parent !== undefined && here !== undefined && here.parent !== parent;
  const isOld =
    known !== undefined &&
    known.seen !== '' &&
    (page.modified_date === 0 ? !mayHaveChanged : known.seen === dateSeen(page));
  if (known?.ours === '' || (isOld && !isMoved)) report.count('pages', 'unchanged');
  else if (run.dryRun) report.count('pages', known === undefined ? 'copied' : 'changed');
  else {
    const path = `/wikis/${namespace}/${encodeURIComponent(page.title)}`;
    const read = await run.source.read(path, wikiAnswer);
    const answer = { ...read, namespace };
    const isSettled = page.modified_date < Math.floor(services.now() / 1000) - 1;
    await storePage(run, { answer, parent, known, seen: isSettled ? dateSeen(page) : 'unsettled' });
  }
  if (!run.dryRun) await mirrorPageTags(run, namespace, page.title);
}

function dateSeen({ modified_date }: WikiItem): string {
  return `modified ${modified_date}`;
}

async function storePage(
  run: Run,
  {
    answer,
    parent,
    known,
    seen,
  }: {
    answer: WikiAnswer;
    parent: string | null | undefined;
    known: Mirrored | undefined;
    seen: string;
  },
): Promise<void> {
  const { site, report } = run;
  const name = nameOf(answer.namespace, answer.title);
  const { images, isComplete } = await picturesOfPage(run, answer);
  const outcome = await write(run, async (ctx, ids) => {
    const content = await contentHere(ctx, ids, run, { answer, images, parent });
    if (content === null) return 'no-subject';
    requireTreeTitle(content.namespace, content.title);
    const withId = await ids.find('wiki', answer.wikiid);
    const sameId = withId === undefined ? undefined : await findDocument(ctx.db, 'wikis', withId);
    // A page keeps its namespace when it is renamed.
    const isOther = sameId !== undefined && sameId.namespace !== content.namespace;
    const renamed = isOther ? undefined : withId;
    const before =
      (isOther ? undefined : sameId) ??
      (await findWiki(ctx.db, content.namespace, content.title, content.langid));
    const copied = known ?? (renamed === undefined ? undefined : await mirroredWith(ctx, site, renamed));
    const remember = async (id: number, ours: string): Promise<void> => {
      if (copied !== undefined && copied.source !== name)
        await forgetMirrored(ctx.db, site, 'wiki', copied.source);
      await ids.remember('wiki', answer.wikiid, id);
      await rememberMirrored(ctx.db, site, 'wiki', {
        source: name,
        id,
        seen: isComplete ? seen : '',
        ours,
      });
    };
    if (copied !== undefined && copied.ours === '') return 'unchanged';
    if (copied !== undefined && (before === undefined || pageHere(before) !== copied.ours)) return 'kept';
    if (copied === undefined && before !== undefined && hasText(before)) {
      if (!sameValue(contentOf(newestVersion(before)), { ...content, userid: before.userid })) {
        await remember(before.wikiid, '');
        return 'kept-other';
      }
    }
    if (before !== undefined && before.title !== content.title)
      await freeDeletedName(ctx, before, content.title);
    const after = await writeVersion(ctx, before, content, true);
    if (before !== undefined && before.title !== content.title) await moveName(ctx, after, before.title);
    if (before !== undefined && before.parent !== after.parent) await moveTranslations(ctx, after);
    await remember(after.wikiid, pageHere(after));
    if (copied === undefined) return 'copied';
    return after.revisionid === before?.revisionid ? 'unchanged' : 'changed';
  });
  if (outcome === 'kept') report.keep('pages', name, 'The page was changed or deleted here');
  else if (outcome === 'kept-other') report.keep('pages', name, 'A page with this title was here before');
  else if (outcome === 'no-subject')
    report.lack('pages', name, 'The person or team did not come along, or was here before');
  else report.count('pages', outcome);
}

async function mirroredWith(ctx: Context, site: string, id: number): Promise<Mirrored | undefined> {
  return ctx.db
    .selectFrom('mirrored')
    .select(['source', 'id', 'seen', 'ours'])
    .where('kind', '=', 'wiki')
    .where('id', '=', id)
    .where('site', '=', site)
    .executeTakeFirst();
}

function hasText(facts: WikiFacts): boolean {
  const { contents_raw, description, image } = newestVersion(facts);
  return contents_raw !== '' || description !== '' || image !== null;
}

/** What a page is like here: everything that people edit. */
function pageHere(facts: WikiFacts): string {
  const { userid: _author, ...content } = contentOf(newestVersion(facts));
  return fingerprint(content);
}

async function deletePages(run: Run, present: ReadonlySet<string>): Promise<void> {
  const known = await allMirrored(run.services.storage.reader, run.site, 'wiki');
  const absent = known.filter(({ source, ours }) => !present.has(source) && ours !== '');
  // Categories are deleted from below, so those that depend on others come later.
  let left = absent;
  for (let count = -1; left.length > 0 && left.length !== count;) {
    count = left.length;
    const blocked: Mirrored[] = [];
    await forEach(
      run,
      'pages',
      left,
      ({ source }) => source,
      async (page) => {
        if (await isUsed(run, page)) blocked.push(page);
        else await deleteGone(run, page, gonePages);
      },
    );
    left = blocked;
  }
  for (const { source } of left)
    run.report.keep('pages', source, 'It was deleted there, but guides or categories here are in it');
}

/** Whether guides or categories are in a category. */
async function isUsed(run: Run, page: Mirrored): Promise<boolean> {
  const { reader } = run.services.storage;
  const facts = await findDocument(reader, 'wikis', page.id);
  if (facts?.namespace !== 'CATEGORY') return false;
  if ((await childTitles(reader, facts.title)).length > 0) return true;
  const guide = await reader
    .selectFrom('guides')
    .select('guideid')
    .where('category', '=', facts.title)
    .where('deleted', '=', 0)
    .executeTakeFirst();
  return guide !== undefined;
}

const gonePages: Gone = {
  collection: 'pages',
  kind: 'wiki',
  nameOf: ({ source }) => source,
  pathOf: ({ source }) => {
    const [namespace = '', ...words] = source.split('/');
    return `/wikis/${namespace}/${encodeURIComponent(words.join('/'))}`;
  },
  remove: async (ctx, { id, ours }) => {
    const facts = await findDocument(ctx.db, 'wikis', id);
    if (facts !== undefined && pageHere(facts) !== ours) return changedHere;
    if (facts !== undefined) await removeWikis(ctx, await versionsOf(ctx.db, facts.namespace, facts.title));
    return null;
  },
};
