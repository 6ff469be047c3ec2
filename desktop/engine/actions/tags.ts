import { tagName } from '#shared/model/tag.ts';

import { type ActionContext, guideTitle, impossible } from '../features/action-context.ts';
import { callOf, pageOf } from './open-page.ts';

/** Adds a tag to a guide (`on`), or removes it. */
export async function tagGuide(
  context: ActionContext,
  guideid: string,
  tag: string,
  on: boolean,
): Promise<void> {
  const id = context.resolve(guideid);
  await addTagCall(context, 'guide', id, `/guides/${id}/tag`, tag, on, await guideTitle(context, guideid));
}

/** Adds a tag to a page (`on`), or removes it. Throws `Problem` while the server does not have the page. */
export async function tagPage(
  context: ActionContext,
  wikiid: string,
  tag: string,
  on: boolean,
): Promise<void> {
  const page = await pageOf(context, wikiid);
  // The call names the page by its title, so it would not wait for the call that creates the page.
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
