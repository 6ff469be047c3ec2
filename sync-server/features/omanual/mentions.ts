import type { GuideFacts } from '#shared/model/guide.ts';
import type { GuideMention } from '#shared/formats/omanual/content.ts';
import type { WikiContext } from '#shared/formats/wikitext/context.ts';

/** A guide, as mentioned by another guide or an index. */
export function mentionOf(facts: GuideFacts, included: boolean): GuideMention {
  const { guideid, title, subject, type, langid, image } = facts;
  return { guideid, title, subject, type, langid, image, included };
}

/** What a file shows besides its guides. */
export interface Mentions {
  /** Guides whose titles it shows. */
  mentioned: Set<number>;
  /** Whether a template page is part of it. */
  usesTemplates: boolean;
  /** Whether it has a list of guides by criteria, to which any guide could belong. */
  usesLists: boolean;
}

/** The same context, which records in `mentions` the titles, templates and lists that texts use. */
export function remembering(wiki: WikiContext, mentions: Mentions): WikiContext {
  return {
    ...wiki,
    guideTitle: (guideid) => {
      const link = wiki.guideTitle(guideid);
      if (link !== null) mentions.mentioned.add(guideid);
      return link;
    },
    guideTitled: (title) => {
      const link = wiki.guideTitled(title);
      if (link === null) mentions.usesLists = true;
      else mentions.mentioned.add(link.guideid);
      return link;
    },
    guidelist: (options) => {
      const links = wiki.guidelist(options);
      mentions.usesLists = true;
      for (const { guideid } of links ?? []) mentions.mentioned.add(guideid);
      return links;
    },
    template: (name) => {
      const text = wiki.template(name);
      if (text !== null) mentions.usesTemplates = true;
      return text;
    },
  };
}
