import { firstValueFrom } from 'rxjs';
import { z } from 'zod';

import { Problem, notFound } from '#shared/api/problem.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import { tagName } from '#shared/model/tag.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';
import type { WikiContent } from '#shared/merge/wiki.ts';
import { newestVersion } from '#shared/rules/wiki-record.ts';
import { previousRevision } from '#shared/sync/wire.ts';

import { documentOf } from '../features/media/documents.ts';
import { isUnsent } from '../outbox/coalesce.ts';
import { recordIn } from '../sync/own-answer.ts';
import { ForeignAnswer } from '../sync/connection-errors.ts';
import type { PageActions } from '../api/pages.ts';
import type { NewCall } from '../platform/ports.ts';
import { personId, teamId } from '../outbox/kinds/people.ts';
import type { BegunText, PageText, PageVersion } from '../api/page-records.ts';
import {
  blankWiki,
  pagePath,
  wikiContentOf,
  wikiEditBody,
  wikiSaveOf,
  type WikiBase,
  type WikiSave,
} from '../outbox/kinds/pages.ts';
import { type ActionContext, guideTitle, impossible, laneOf, newTemporaryId, openCallsOf } from './calls.ts';
import { keepFile } from './files.ts';
import { imageSize } from './image-size.ts';

export function wikiActions(
  context: ActionContext,
): Omit<PageActions, 'saveProfile' | 'joinTeam' | 'leaveTeam'> {
  const { outbox } = context.sources.core;
  return {
    createPage: (namespace, title, text) => createPage(context, namespace, title, text),
    savePage: (wikiid, text, began) => savePage(context, wikiid, text, began),
    async deletePage(wikiid) {
      const page = await pageOf(context, wikiid);
      mustBeDecided(page);
      await outbox.add([
        { ...callOf(context, page), kind: 'wiki-delete', method: 'DELETE', query: queryOf(page) },
      ]);
    },
    translatePage: (wikiid, langid, text) => translatePage(context, wikiid, langid, text),
    async patrolPage(wikiid) {
      const page = await pageOf(context, wikiid);
      mustBeDecided(page);
      await outbox.add([versionCall(context, page, 'patrol', {})]);
    },
    async revertPage(wikiid, revisionid) {
      const page = await pageOf(context, wikiid);
      mustBeDecided(page);
      await outbox.add([versionCall(context, page, 'revert', { to_revisionid: String(revisionid) })]);
    },
    keepPagePicture: (file, filename) => keepPicture(context, file, filename),
    keepPageDocument: (file, filename) => keepDocument(context, file, filename),
    tagGuide: (guideid, tag, on) => tagGuide(context, guideid, tag, on),
    tagPage: (wikiid, tag, on) => tagPage(context, wikiid, tag, on),
    pageVersions: (wikiid) => pageVersions(context, wikiid),
  };
}

/** A page as the next call of the person meets it. */
interface OpenPage {
  id: string;
  namespace: WikiNamespace;
  /** The language in the query; empty for a page that is no translation. */
  langid: string;
  /** The newest version that the server is known to have. */
  revisionid: number | null;
  base: WikiBase;
  isUnsent: boolean;
  isContested: boolean;
  /** What the list of what waits calls it. */
  subject: string;
}

async function pageOf(context: ActionContext, wikiid: string): Promise<OpenPage> {
  const id = context.resolve(wikiid);
  const record = id.startsWith('tmp:') ? null : await context.sources.core.mirror.get('wikis', id);
  const open = openCallsOf(context, 'wikis', id);
  const last = open.findLast((call) => wikiSaveOf(call) !== undefined);
  const waiting = last === undefined ? undefined : wikiSaveOf(last);
  const newest = record === null ? null : newestVersion(record.facts);
  const namespace = newest?.namespace ?? waiting?.namespace;
  const content = waiting?.content ?? (newest === null ? undefined : wikiContentOf(newest));
  if (namespace === undefined || content === undefined) throw notFound('Page');
  const isAwaited = open.some((call) => call.state !== 'parked');
  const revisionid = isAwaited ? null : (newest?.revisionid ?? null);
  return {
    id,
    namespace,
    langid:
      newest === null ? (waiting?.langid ?? '') : newest.source_revisionid === null ? '' : newest.langid,
    revisionid: newest?.revisionid ?? null,
    base: { revisionid, content },
    isUnsent: last !== undefined && last === open.at(-1) && isUnsent(last),
    isContested: open.some((call) => call.state === 'conflict'),
    subject: await subjectOf(context, namespace, content),
  };
}

/** The title that is shown: of a page that a person or team gave none, their name. */
async function subjectOf(
  context: ActionContext,
  namespace: WikiNamespace,
  { title, display_title }: WikiContent,
): Promise<string> {
  if (display_title !== '' && display_title !== title) return display_title;
  if (namespace !== 'USER' && namespace !== 'TEAM') return title;
  const id = namespace === 'USER' ? personId(Number(title)) : teamId(Number(title));
  const facts = (await context.sources.core.mirror.get('people', id))?.facts;
  return (facts?.kind === 'team' ? facts.name : facts?.username) ?? title;
}

function mustBeDecided({ isContested }: OpenPage): void {
  if (isContested) throw impossible('Decide first what this page is to say');
}

function callOf(
  context: ActionContext,
  { id, namespace, base, subject }: OpenPage,
): Pick<NewCall, 'lane' | 'path' | 'target' | 'subject'> {
  return {
    lane: laneOf(context, 'wiki', 'wikis', id),
    path: pagePath(namespace, base.content.title),
    target: { collection: 'wikis', id },
    subject,
  };
}

function queryOf({ base, langid }: OpenPage): Record<string, string> {
  const revisionid = base.revisionid === null ? previousRevision : String(base.revisionid);
  return { revisionid, ...(langid === '' ? {} : { langid }) };
}

function withText(content: WikiContent, text: PageText): WikiContent {
  const shown = text.displayTitle.trim();
  // The title names the page already; a title to show is stored only where it says something else.
  const isNamed = content.display_title === '' && shown === content.title;
  return {
    ...content,
    display_title: isNamed ? '' : shown,
    description: text.description.trim(),
    contents_raw: text.contents,
    ...(text.image === undefined ? {} : { image: text.image }),
    ...(text.flags === undefined ? {} : { flags: text.flags }),
    ...(text.parent === undefined ? {} : { parent: text.parent }),
    ...(text.documents === undefined ? {} : { documents: text.documents }),
    ...(text.info === undefined ? {} : { info: text.info }),
    ...(text.suppliers === undefined ? {} : { suppliers: text.suppliers }),
  };
}

async function createPage(
  context: ActionContext,
  namespace: WikiNamespace,
  name: string,
  text: PageText,
): Promise<string> {
  const title = name.trim();
  if (title === '') throw impossible('Give the page a title');
  if (await isTaken(context, namespace, title)) throw impossible(`There is a page “${title}” already`);
  return addPage(context, namespace, blankWiki(title), text, {});
}

/** What only the page that is made says in a new language; the rest it has from its source. */
async function translatePage(
  context: ActionContext,
  wikiid: string,
  langid: string,
  text: PageText,
): Promise<string> {
  const { namespace, base, revisionid } = await pageOf(context, wikiid);
  if (revisionid === null) throw impossible('This page can be translated as soon as the server has it');
  const { display_title: _title, description: _words, contents_raw: _text, ...kept } = base.content;
  const before = { ...blankWiki(base.content.title), ...kept };
  return addPage(context, namespace, before, text, { langid, source_revisionid: revisionid });
}

async function addPage(
  context: ActionContext,
  namespace: WikiNamespace,
  before: WikiContent,
  text: PageText,
  origin: { langid?: string; source_revisionid?: number },
): Promise<string> {
  const { key, id } = newTemporaryId(context);
  const { title } = before;
  const { langid } = origin;
  const content = withText(before, text);
  await context.sources.core.outbox.add([
    {
      id: key,
      kind: 'wiki-create',
      lane: `wiki:${key}`,
      method: 'POST',
      path: '/wikis',
      body: { namespace, title, contents: '', ...origin, ...wikiEditBody(before, content) },
      target: { collection: 'wikis', id },
      subject: await subjectOf(context, namespace, content),
      context: {
        namespace,
        base: null,
        content,
        ...(langid === undefined ? {} : { langid }),
      } satisfies WikiSave,
    },
  ]);
  return id;
}

/** A call about versions of a page. It names the version that the person saw last. */
function versionCall(
  context: ActionContext,
  page: OpenPage,
  what: 'patrol' | 'revert',
  query: Record<string, string>,
): NewCall {
  const call = callOf(context, page);
  return {
    ...call,
    kind: `wiki-${what}`,
    method: 'POST',
    path: `${call.path}/${what}`,
    query: { ...queryOf(page), ...query },
  };
}

async function keepPicture(context: ActionContext, file: Blob, filename: string): Promise<ImageRef> {
  const size = imageSize(new Uint8Array(await file.arrayBuffer()));
  if (size === null) throw impossible('This file is not a picture that can be shown');
  const id = await keepFile(context, file, filename, 'image');
  return { id: 0, guid: id, ...size };
}

async function keepDocument(context: ActionContext, file: Blob, filename: string): Promise<DocumentRef> {
  const id = await keepFile(context, file, filename, 'document');
  return documentOf({ documentid: 0, guid: id, filename });
}

async function isTaken(context: ActionContext, namespace: WikiNamespace, title: string): Promise<boolean> {
  const same = (other: string): boolean => other.toLowerCase() === title.toLowerCase();
  const waits = context.calls().some((call) => {
    const save = call.kind === 'wiki-create' && call.state !== 'done' ? wikiSaveOf(call) : undefined;
    return save?.namespace === namespace && same(save.content.title);
  });
  const wikis = await firstValueFrom(context.sources.core.mirror.all('wikis'));
  return waits || wikis.some(({ facts }) => facts.namespace === namespace && same(facts.title));
}

/**
 * An edit that began with a version which is no longer the newest names that one: the server answers 409, and the merge
 * sees what both wrote.
 */
function asBegun(page: OpenPage, began: BegunText | undefined): OpenPage {
  const { base } = page;
  if (began === undefined || base.revisionid === null || base.revisionid === began.revisionid) return page;
  if (began.revisionid === 0) return page;
  return {
    ...page,
    base: { revisionid: began.revisionid, content: withText(base.content, began.text) },
  };
}

async function savePage(
  context: ActionContext,
  wikiid: string,
  text: PageText,
  began: BegunText | undefined,
): Promise<void> {
  const page = asBegun(await pageOf(context, wikiid), began);
  mustBeDecided(page);
  const { base, namespace } = page;
  const content = withText(base.content, text);
  const body = wikiEditBody(base.content, content);
  // A refused save that is saved again as it stands is sent again.
  if (body === null && !page.isUnsent) return;
  await context.sources.core.outbox.add([
    {
      ...callOf(context, page),
      subject: await subjectOf(context, namespace, content),
      kind: 'wiki-save',
      method: 'PATCH',
      query: queryOf(page),
      body: body ?? {},
      context: { namespace, base, content } satisfies WikiSave,
    },
  ]);
}

async function tagGuide(context: ActionContext, guideid: string, tag: string, on: boolean): Promise<void> {
  const id = context.resolve(guideid);
  await addTagCall(context, 'guide', id, `/guides/${id}/tag`, tag, on, await guideTitle(context, guideid));
}

async function tagPage(context: ActionContext, wikiid: string, tag: string, on: boolean): Promise<void> {
  const page = await pageOf(context, wikiid);
  // A page is named by its title: nothing in the call would make it wait for the one that creates the page.
  if (page.id.startsWith('tmp:')) throw impossible('This page can be tagged as soon as the server has it');
  const { path, subject } = callOf(context, page);
  await addTagCall(context, 'wiki', page.id, `${path}/tag`, tag, on, subject, page.langid);
}

async function addTagCall(
  context: ActionContext,
  of: 'guide' | 'wiki',
  id: string,
  path: string,
  name: string,
  on: boolean,
  subject: string,
  langid = '',
): Promise<void> {
  const tag = on ? tagName.safeParse(name).data : name;
  if (tag === undefined) throw impossible('A tag is a word or two, of at most 32 characters');
  await context.sources.core.outbox.add([
    {
      kind: `${of}-tag`,
      lane: `viewer:tag:${of}:${id}:${tag}`,
      method: on ? 'PUT' : 'DELETE',
      path,
      query: langid === '' ? {} : { langid },
      body: { tag },
      target: { collection: 'viewer', id: `${of}Tags:${id}` },
      subject,
    },
  ]);
}

/** What an answer must hold of a version; servers send more. */
const versions = z.array(
  z.object({
    revisionid: z.number(),
    date: z.number(),
    author: z.object({ username: z.string() }).nullable(),
  }),
);

async function pageVersions(context: ActionContext, wikiid: string): Promise<PageVersion[]> {
  const page = await pageOf(context, wikiid);
  const query = page.langid === '' ? '' : `?langid=${encodeURIComponent(page.langid)}`;
  const path = `/api/2.0${pagePath(page.namespace, page.base.content.title)}/revisions${query}`;
  const found = await context.sources.core
    .request(path)
    .then((answer) => (answer.ok ? recordIn(answer, versions, path) : null))
    .catch((error: unknown) => {
      const words =
        error instanceof ForeignAnswer
          ? error.message
          : 'Earlier versions are on the server, which cannot be reached now';
      throw new Problem('unavailable', words, { cause: error });
    });
  if (found === null) throw new Problem('unavailable', 'The server does not tell its versions');
  return found.map(({ revisionid, date, author }) => ({
    revisionid,
    author: author?.username ?? '',
    at: date * 1000,
  }));
}
