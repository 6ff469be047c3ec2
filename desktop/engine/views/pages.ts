import { type Observable, combineLatest, distinctUntilChanged, map, of, switchMap } from 'rxjs';

import type { WikiContent } from '#shared/merge/wiki.ts';
import type { WikiFacts, WikiNamespace } from '#shared/model/wiki.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { shownTitle } from '#shared/rules/wiki-record.ts';
import { templateLookup } from '#shared/rules/wiki-templates.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';
import { renderBlocks } from '#shared/formats/wikitext/html.ts';

import type { Services } from '../features/services.ts';
import { timed } from '../features/records/guide.ts';
import { type LocalComment, overlayComments } from '../features/records/overlay/comments.ts';
import { type LocalWiki, localWiki, overlayWikis } from '../features/records/overlay/wiki.ts';
import type { PageCard, PageLink, TextSources, WikiPage } from '../api/page-records.ts';
import type { CommentView } from '../api/records.ts';
import { absolute, linkedIn, renderComments, wikiContext } from '../features/records/rendering.ts';
import { relatedGuides } from '../features/records/related-guides.ts';
import { type Sources, realIdOf } from '../features/records/sources.ts';
import { tagsOf } from '../features/records/tags.ts';
import { pageRights, type PageReader } from '../features/records/wiki-access.ts';

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Pages of a namespace with waiting calls on top, sorted by the title that is shown. */
export function pages(sources: Sources, namespace: WikiNamespace): Observable<PageCard[]> {
  return combineLatest([localPages(sources), titles(sources)]).pipe(
    map(([all, titleOf]) =>
      all
        .filter((one) => one.namespace === namespace)
        .map((one) => cardOf(one, titleOf))
        .toSorted((a, b) => collator.compare(a.displayTitle, b.displayTitle)),
    ),
  );
}

/** The cards of all pages, with their texts. */
export function localPageCards(sources: Sources): Observable<{ card: PageCard; contents: string }[]> {
  return combineLatest([localPages(sources), titles(sources)]).pipe(
    map(([all, titleOf]) =>
      all.map((one) => ({ card: cardOf(one, titleOf), contents: one.content.contents_raw })),
    ),
  );
}

/** All pages with waiting calls on top. */
export function localPages({ core, calls, me, resolve }: Sources): Observable<LocalWiki[]> {
  return combineLatest([core.mirror.all('wikis'), calls, me]).pipe(
    map(([records, waiting, { userid }]) => overlayWikis(records, waiting, resolve, userid)),
  );
}

type TitleOf = (page: Pick<LocalWiki, 'namespace' | 'content'>) => string;

/** The title that is shown. A page of a person or team without a title has their name. */
function titles({ people }: Sources): Observable<TitleOf> {
  return people.pipe(
    map(({ people: persons, teams }) => {
      const names = new Map<string, string>([
        ...persons.map(({ userid, username }) => [`USER:${userid}`, username] as const),
        ...teams.map(({ teamid, name }) => [`TEAM:${teamid}`, name] as const),
      ]);
      return ({ namespace, content }) => {
        const shown = shownTitle(content);
        return shown === content.title ? (names.get(`${namespace}:${shown}`) ?? shown) : shown;
      };
    }),
  );
}

function cardOf(local: LocalWiki, titleOf: TitleOf): PageCard {
  const { wikiid, namespace, langid, content, modifiedAt, pending } = local;
  return {
    wikiid,
    namespace,
    title: content.title,
    displayTitle: titleOf(local),
    description: content.description,
    langid,
    imageGuid: content.image?.guid ?? null,
    modifiedAt,
    pending,
  };
}

/** Templates and images that texts on this device may use. */
export function textSources({ templates, images, site }: Sources): Observable<TextSources> {
  return combineLatest([templates, images, site]).pipe(
    map(([pagesOfTexts, byId, { langid }]) => ({
      templates: pagesOfTexts,
      images: [...byId.values()],
      langid,
    })),
  );
}

/** One page, ready to be read. */
export function page(services: Services, wikiid: string): Observable<WikiPage | null> {
  const { sources } = services;
  return realIdOf(sources, wikiid).pipe(
    switchMap((id) =>
      combineLatest([sources.core.mirror.all('wikis'), sources.calls, sources.me]).pipe(
        map(([records, calls, { userid }]) => localWiki(id, records, calls, sources.resolve, userid)),
        distinctUntilChanged((a, b) => sameValue(a, b)),
        switchMap((local) => (local === null ? of(null) : readable(services, local))),
      ),
    ),
  );
}

function readable(services: Services, local: LocalWiki): Observable<WikiPage> {
  const { sources } = services;
  const all = sources.core.mirror.all('wikis').pipe(map((records) => records.map(({ facts }) => facts)));
  return combineLatest([
    rendered(services, local),
    all,
    readerOf(sources),
    sources.me,
    sources.names,
    tagsOf(sources, 'wiki', local.wikiid),
    sources.site,
    titles(sources),
  ]).pipe(
    map(([texts, wikis, reader, me, names, tags, site, titleOf]) => {
      const { version, content, newest } = local;
      const family = relatives(wikis, local);
      const rights = pageRights(reader, local.namespace, content.title);
      return {
        ...cardOf(local, titleOf),
        ...texts,
        ...rights,
        // The call that tags a page names its title, which the server must know.
        canTag: rights.canTag && version !== null,
        canEdit: rights.canEdit && local.editState !== 'conflict',
        tags,
        revisionid: version?.revisionid ?? 0,
        newestRevisionid: local.newestRevisionid,
        text: textOf(local.namespace, newest),
        ...family,
        canPatrol: rights.canPatrol && local.patrol !== 'none' && local.editState === 'none',
        flagChoices: me.flags,
        isTranslation: (version?.source_revisionid ?? null) !== null,
        translatable: translatable(rights.canTranslate ? site.languages : [], local, family.translations),
        info: content.info ?? [],
        suppliers: content.suppliers ?? [],
        repairability: version?.repairability_score ?? null,
        documents: (content.documents ?? []).map(({ documentid, guid, text, extension, download_url }) => {
          const url = documentid === 0 ? null : absolute(download_url, me.server);
          return { guid, title: text, extension, url };
        }),
        flags: content.flags,
        author: names.get(version?.userid ?? me.userid) ?? '',
        createdAt: version === null ? null : version.created_date * 1000,
        patrol: local.patrol,
        editState: local.editState,
      };
    }),
  );
}

/** The text with which an editor begins. */
function textOf(namespace: WikiNamespace, content: WikiContent): WikiPage['text'] {
  const shown = shownTitle(content);
  const isNumber = (namespace === 'USER' || namespace === 'TEAM') && shown === content.title;
  const { image, flags, parent, documents = [], info = [], suppliers = [] } = content;
  return {
    displayTitle: isNumber ? '' : shown,
    description: content.description,
    contents: content.contents_raw,
    image,
    flags,
    parent,
    documents,
    info,
    suppliers,
  };
}

/** The languages into which an original is not translated yet. */
function translatable(
  languages: readonly string[],
  { version }: LocalWiki,
  translations: WikiPage['translations'],
): string[] {
  if (version === null || version.source_revisionid !== null) return [];
  const taken = new Set([version.langid, ...translations.map(({ langid }) => langid)]);
  return languages.filter((langid) => !taken.has(langid));
}

/** The properties of the person that decide what the app offers on pages. */
function readerOf({ core, me }: Sources): Observable<PageReader> {
  return combineLatest([me, core.mirror.all('people')]).pipe(
    map(([{ userid, privileges }, records]) => {
      const facts = records.find((record) => record.id === `user:${userid}`)?.facts;
      return { userid, privileges, teams: facts?.kind === 'user' ? facts.teams : [] };
    }),
  );
}

function relatives(
  wikis: readonly WikiFacts[],
  { wikiid, namespace, version, content }: LocalWiki,
): Pick<WikiPage, 'parent' | 'children' | 'translations'> {
  const others = wikis.filter((one) => one.namespace === namespace && String(one.wikiid) !== wikiid);
  const translations = others
    .filter(({ title, langid }) => title === content.title && langid !== version?.langid)
    .map(({ wikiid: id, langid }) => ({ wikiid: String(id), langid }));
  if (namespace !== 'CATEGORY') return { parent: null, children: [], translations };
  const originals = others.filter(({ source_revisionid }) => source_revisionid === null);
  const parent = originals.find(({ title }) => title === content.parent);
  const children = originals.filter((one) => one.parent === content.title).map(linkTo);
  return {
    parent: parent === undefined ? null : linkTo(parent),
    children: children.toSorted((a, b) => collator.compare(a.displayTitle, b.displayTitle)),
    translations,
  };
}

function linkTo(facts: WikiFacts): PageLink {
  return { wikiid: String(facts.wikiid), displayTitle: shownTitle(facts) };
}

/** The rendered text and comments. Templates, pictures and titles of guides come from this device. */
function rendered(
  services: Services,
  local: LocalWiki,
): Observable<{ html: string; comments: CommentView[] }> {
  const { sources } = services;
  return combineLatest([sources.templates, sources.site]).pipe(
    map(([known, site]) => templateLookup(known, local.version?.langid, site.langid)),
    switchMap((template) => renderedWith(services, local, template)),
  );
}

function renderedWith(
  services: Services,
  local: LocalWiki,
  template: WikiContext['template'],
): Observable<{ html: string; comments: CommentView[] }> {
  const { sources } = services;
  return combineLatest([
    sources.me,
    sources.names,
    sources.images,
    relatedGuides(sources, linkedIn([local.content.contents_raw], template)),
    discussionOf(sources, local.wikiid).pipe(switchMap((discussion) => timed(services, discussion))),
  ]).pipe(
    map(([me, names, images, related, { discussion, serverNow }]) => {
      const wiki = wikiContext(me.server, [...related.values()], images, template);
      const nameOf = (userid: number): string => names.get(userid) ?? '';
      return {
        html: renderBlocks(local.content.contents_raw, wiki),
        comments: renderComments(discussion, { me: me.userid, nameOf, serverNow, wiki }),
      };
    }),
  );
}

/** Comments on one page. In the mirror they have guideid 0. */
function discussionOf({ core, calls, resolve }: Sources, wikiid: string): Observable<LocalComment[]> {
  return combineLatest([core.mirror.where('comments', 'guideid', 0), calls]).pipe(
    map(([records, waiting]) => {
      const own = records.filter(
        ({ facts }) =>
          (facts.context === 'wiki' || facts.context === 'info') && String(facts.contextid) === wikiid,
      );
      return overlayComments({ wikiid }, own, waiting, resolve);
    }),
    distinctUntilChanged((a, b) => sameValue(a, b)),
  );
}
