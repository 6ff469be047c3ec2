import { firstValueFrom } from 'rxjs';

import type { WikiContent } from '#shared/merge/wiki.ts';
import type { DocumentRef } from '#shared/model/guide.ts';
import type { ImageRef } from '#shared/model/image.ts';
import type { WikiNamespace } from '#shared/model/wiki.ts';

import type { BegunText, PageText } from '../api/page-records.ts';
import type { PageActions } from '../api/pages.ts';
import { documentOf } from '../features/media/documents.ts';
import { blankWiki, wikiEditBody, wikiSaveOf, type WikiSave } from '../outbox/kinds/pages.ts';
import { type ActionContext, impossible, newTemporaryId } from '../features/action-context.ts';
import { keepFile } from '../features/keep-file.ts';
import { imageSize } from './image-size.ts';
import { callOf, mustBeDecided, pageOf, queryOf, subjectOf, type OpenPage } from './open-page.ts';
import { pageVersions, patrolPage, revertPage } from './page-versions.ts';
import { tagGuide, tagPage } from './tags.ts';

/** Actions on wiki pages, and on tags of guides. */
export function pageActions(
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
    patrolPage: (wikiid) => patrolPage(context, wikiid),
    revertPage: (wikiid, revisionid) => revertPage(context, wikiid, revisionid),
    keepPagePicture: (file, filename) => keepPicture(context, file, filename),
    keepPageDocument: (file, filename) => keepDocument(context, file, filename),
    tagGuide: (guideid, tag, on) => tagGuide(context, guideid, tag, on),
    tagPage: (wikiid, tag, on) => tagPage(context, wikiid, tag, on),
    pageVersions: (wikiid) => pageVersions(context, wikiid),
  };
}

function withText(content: WikiContent, text: PageText): WikiContent {
  const shown = text.displayTitle.trim();
  // The page has its title already. A title to show is stored only if it differs.
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

/** Adds a translation of a page. Its texts are given; everything else is copied from the page. */
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
 * The page for an edit that began on a version which is no longer the newest. The call names that version: the server
 * answers 409, and the merge compares both texts with it.
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
  // A refused save is sent again even without a new change.
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
