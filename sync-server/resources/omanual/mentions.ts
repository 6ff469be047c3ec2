import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideMention } from '#shared/omanual/content.ts';
import type { WikiContext } from '#shared/wikitext/context.ts';

/** A guide as another one, or an index, names it. */
export function mentionOf(facts: GuideFacts, included: boolean): GuideMention {
  const { guideid, title, subject, type, langid, image } = facts;
  return { guideid, title, subject, type, langid, image, included };
}

/** The same context, which remembers in `mentioned` whose titles texts were given. */
export function remembering(wiki: WikiContext, mentioned: Set<number>): WikiContext {
  return {
    ...wiki,
    guideTitle: (guideid) => {
      const link = wiki.guideTitle(guideid);
      if (link !== null) mentioned.add(guideid);
      return link;
    },
    guideTitled: (title) => {
      const link = wiki.guideTitled(title);
      if (link !== null) mentioned.add(link.guideid);
      return link;
    },
    guidelist: (options) => {
      const links = wiki.guidelist(options);
      for (const { guideid } of links ?? []) mentioned.add(guideid);
      return links;
    },
  };
}
