import type { WikiNamespace, WikiVersion } from '#shared/model/wiki.ts';
import { shownVersion } from '#shared/rules/wiki-record.ts';
import { can } from '#server/features/can.ts';
import type { Context } from '#server/core/context.ts';

import { findByName } from './store.ts';

/** Most linked wikis in a record. */
const mostLinks = 50;

/** Namespaces by the first part of a page's path (API facts 0.5). */
const namespaces: Record<string, WikiNamespace> = {
  c: 'CATEGORY',
  Device: 'CATEGORY',
  Item: 'ITEM',
  Info: 'INFO',
  Wiki: 'WIKI',
  Team: 'TEAM',
  User: 'USER',
};

const link = /\[(?:link\|)?(https?:\/\/[^/|\]\s]+)?\/(c|Device|Item|Info|Wiki|Team|User)\/([^|\]\s/?#]+)/g;

/** Wikis of this site that a text links to and the viewer may see, in the order of the links. */
export async function linkedWikis(ctx: Context, version: WikiVersion): Promise<WikiVersion[]> {
  const found = new Map<number, WikiVersion>();
  for (const { namespace, title } of linksIn(version.contents_raw, ctx.baseUrl)) {
    const facts = await findByName(ctx, namespace, title, version.langid);
    if (facts === undefined || facts.wikiid === version.wikiid || !can(ctx.viewer, 'wiki.see', facts))
      continue;
    found.set(facts.wikiid, shownVersion(facts));
  }
  return [...found.values()];
}

function linksIn(text: string, baseUrl: string): { namespace: WikiNamespace; title: string }[] {
  const names = new Map<string, { namespace: WikiNamespace; title: string }>();
  for (const [, origin, kind = '', name = ''] of text.matchAll(link)) {
    const namespace = namespaces[kind];
    const title = decoded(name);
    if (namespace === undefined || title === undefined) continue;
    if (origin !== undefined && origin !== baseUrl) continue;
    names.set(`${namespace}/${title}`, { namespace, title });
    if (names.size === mostLinks) break;
  }
  return [...names.values()];
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
