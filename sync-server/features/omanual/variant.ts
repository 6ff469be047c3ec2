import { omanualVariant } from '#shared/api/omanual-variant.ts';
import type { Guide, GuideSummary, Step } from '#shared/model/guide-record.ts';
import type { SupplyFacts } from '#shared/model/guide.ts';
import type { ListedGuide, VariantCategory, VariantGuide } from '#shared/model/omanual-variant.ts';
import { shownVersion } from '#shared/rules/wiki-record.ts';
import type { Context } from '#server/core/context.ts';
import { handle } from '#server/http/handle.ts';

import { flagRecordOf } from '../guides/flags.ts';
import { listGuides } from '../guides/list.ts';
import { mustSeeGuide } from '../guides/policy.ts';
import { fullGuide } from '../guides/record.ts';
import { listCategoryTitles } from '../wikis/list.ts';
import { mustSeeWiki, type WikiName } from '../wikis/policy.ts';
import { fullTopic } from '../wikis/record.ts';
import { categoryDocumentAnswer, guideDocumentAnswer } from './documents.ts';

/** The calls of the standard's JSON variant, based on the records of the API. */
export const omanualVariantHandlers = handle(omanualVariant, {
  guides: async ({ query }, ctx) => {
    const found = await listGuides(ctx, { ...query, modifiedSince: undefined, includePrivate: false });
    return found.value.map((one) => listed(one));
  },
  guide: {
    allow: async ({ params }, ctx) => void (await mustSeeGuide(ctx, params.guideid)),
    run: async ({ params, query }, ctx) => {
      const facts = await mustSeeGuide(ctx, params.guideid);
      if (query.type === 'XML') return guideDocumentAnswer(ctx, facts);
      return guideOf(ctx, await fullGuide(ctx, facts, { ownStepsOnly: query.excludePrerequisiteSteps }));
    },
  },
  categories: ({ query }, ctx) => listCategoryTitles(ctx, query),
  category: {
    allow: async ({ params }, ctx) => void (await mustSeeWiki(ctx, named(params.categoryname))),
    run: async ({ params, query }, ctx) => {
      const facts = await mustSeeWiki(ctx, named(params.categoryname));
      const version = shownVersion(facts);
      if (query.type === 'XML') return categoryDocumentAnswer(ctx, version);
      return categoryOf(ctx, await fullTopic(ctx, facts, version));
    },
  },
});

function named(title: string): WikiName {
  return { params: { namespace: 'CATEGORY', title }, query: {} };
}

function listed(one: GuideSummary): ListedGuide {
  const { guideid, type, category, subject, title, public: isPublic, userid, username, image } = one;
  return {
    guideid,
    type,
    category,
    subject: subject === '' ? false : subject,
    title,
    public: isPublic,
    userid,
    username,
    image,
  };
}

type Flag = VariantCategory['flags'][number];

function flagsOf(flags: Guide['flags'], ctx: Context): Flag[] {
  return flags.map((flag) => {
    const { flagid, title, text } = typeof flag === 'string' ? flagRecordOf(flag, ctx.baseUrl) : flag;
    return { flagid, title, text };
  });
}

function guideOf(ctx: Context, guide: Guide): VariantGuide {
  return {
    category: guide.category,
    url: guide.url,
    guideid: guide.guideid,
    canEdit: guide.can_edit,
    guide: {
      author: { text: guide.author.username, userid: guide.author.userid },
      categories: [guide.category],
      conclusion: guide.conclusion_rendered,
      difficulty: guide.difficulty,
      documents: guide.documents.map(({ text, download_url: url }) => ({ text, url })),
      flags: flagsOf(guide.flags, ctx),
      guideid: guide.guideid,
      image: guide.image,
      introduction: guide.introduction_rendered,
      locale: guide.locale,
      parts: guide.parts.map((one) => supplyOf(one, ctx)),
      prereqs: guide.prerequisites.map(({ title: text, guideid, locale }) => ({ text, guideid, locale })),
      steps: guide.steps.map(stepOf),
      subject: guide.subject,
      summary: guide.summary,
      time_required: guide.time_required,
      title: guide.title,
      tools: guide.tools.map((one) => supplyOf(one, ctx)),
      type: guide.type,
      revisionid: guide.revisionid,
    },
  };
}

function supplyOf(supply: SupplyFacts, ctx: Context): VariantGuide['guide']['parts'][number] {
  const { type, quantity, text, notes, url, thumbnail } = supply;
  return {
    type,
    quantity: String(quantity),
    text,
    notes: notes ?? '',
    url: url.startsWith('/') ? ctx.baseUrl + url : url,
    thumbnail: thumbnail ?? '',
  };
}

function stepOf(step: Step): VariantGuide['guide']['steps'][number] {
  const { title, guideid, stepid, orderby, revisionid, lines } = step;
  return {
    title,
    lines: lines.map(({ bullet, level, lineid, text_rendered: text }) => ({ bullet, level, lineid, text })),
    media: mediaOf(step.media),
    guideid,
    stepid,
    orderby,
    revisionid,
  };
}

type Media = VariantGuide['guide']['steps'][number]['media'];

function mediaOf(media: Step['media']): Media {
  if (media.type === 'image') return media;
  if (media.type === 'embed') {
    const { embedid: _embed, objectid: _object, ...data } = media.data;
    return { type: 'embed', data };
  }
  const { videoid, filename, duration, width, height, image, encodings } = media.data;
  return {
    type: 'video',
    data: {
      videoid,
      filename,
      duration,
      width,
      height,
      image: image?.image ?? null,
      encodings: encodings.map((one) => ({
        width: one.width,
        height: one.height,
        codecs: one.codecs,
        mime: one.mime,
        format: one.format,
        url: one.url,
      })),
    },
  };
}

function categoryOf(ctx: Context, topic: Awaited<ReturnType<typeof fullTopic>>): VariantCategory {
  const { topic_info: info } = topic;
  return {
    title: topic.display_title,
    locale: topic.locale,
    category_info: {
      name: info.name,
      manufacturer: info.manufacturer ?? '',
      introduced: info.introduced ?? '',
      discontinued: info.discontinued ?? '',
    },
    image: topic.image,
    description: topic.description,
    flags: flagsOf(topic.flags, ctx),
    categories: topic.ancestors,
    solutions: topic.solutions,
    guides: topic.guides.map((one) => ({
      ...listed(one),
      dataType: 'guide',
      revisionid: one.revisionid,
      modified_date: one.modified_date,
      prereq_modified_date: one.prereq_modified_date === 0 ? false : one.prereq_modified_date,
      url: one.url,
    })),
    contents: topic.contents_rendered,
  };
}
