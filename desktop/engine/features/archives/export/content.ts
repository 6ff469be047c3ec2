import { firstValueFrom } from 'rxjs';

import type { GuideFacts, StepFacts } from '#shared/model/guide.ts';
import type { WikiFacts } from '#shared/model/wiki.ts';
import type { ArchiveContent, GuideMention, GuideToWrite } from '#shared/formats/omanual/content.ts';
import { contentOf, type GuideContent, isTemporaryId, stepKeyOf } from '#shared/rules/guide-content.ts';
import { authorElsewhere } from '#shared/rules/people.ts';
import { guideTitled, listedGuides } from '#shared/rules/linked-guides.ts';
import { sameValue } from '#shared/rules/same-value.ts';
import { guidePath } from '#shared/rules/urls.ts';
import { templateLookup } from '#shared/rules/wiki-templates.ts';
import type { NamedGuide, WikiContext } from '#shared/formats/wikitext/context.ts';

import type { GuideRow } from '#desktop/engine/platform/ports.ts';
import type { Services } from '#desktop/engine/features/services.ts';
import { categoryEdges, subtreeOf } from '#desktop/engine/features/records/category-tree.ts';
import { localGuide } from '#desktop/engine/features/records/guide.ts';
import type { LocalGuide } from '#desktop/engine/features/records/overlay/guide.ts';
import { wikiContext } from '#desktop/engine/features/records/rendering.ts';
import { tagsOf } from '#desktop/engine/features/records/tags.ts';
import { mediaOnDevice } from './media.ts';
import type { ExportChoice } from '#desktop/engine/api/archives.ts';

/** The content of an export, as this person sees it on this device. */
export interface Gathered extends ArchiveContent {
  /** Titles and pictures of its guides, in order. */
  mentions: GuideMention[];
  guides: GuideToWrite[];
  /** Whether one of its guides is not public. */
  isPrivate: boolean;
}

/**
 * Collects the guides and categories of a choice, with waiting changes. Guides without a number (never saved) are left
 * out.
 */
export async function gather(services: Services, choice: ExportChoice): Promise<Gathered> {
  const { sources } = services;
  const { server } = await firstValueFrom(sources.me);
  const wikis = (await firstValueFrom(sources.core.mirror.all('wikis'))).map(({ facts }) => facts);
  const categories = 'category' in choice ? categoriesOf(choice.category, wikis) : [];
  const guides = (await chosenGuides(services, choice, wikis)).toSorted((a, b) => a.guideid - b.guideid);
  const mentions = guides.map((facts) => mentionOf(facts, true));
  const known = new Map(mentions.map((one) => [one.guideid, one]));
  const site = await firstValueFrom(sources.site);
  const { flags } = await firstValueFrom(sources.me);
  const wiki = await contextOf(services, site.langid);
  return {
    base: server,
    title: site.title || new URL(server).host,
    langid: site.langid,
    modified: Math.max(0, ...guides.map((one) => one.modified_date)),
    flags: new Map(flags.map(({ flagid, title, text }) => [flagid, { title, text }])),
    categories,
    ancestors: 'category' in choice ? ancestorsOf(choice.category, wikis) : [],
    wiki,
    guides: await Promise.all(guides.map((facts) => guideToWrite(services, facts, known, wiki))),
    mentions,
    media: mediaOnDevice(services),
    isPrivate: guides.some((facts) => !facts.public),
  };
}

async function chosenGuides(
  services: Services,
  choice: ExportChoice,
  wikis: readonly WikiFacts[],
): Promise<GuideFacts[]> {
  const ids = 'guideids' in choice ? choice.guideids : await guidesIn(services, choice.category, wikis);
  const locals = await Promise.all(
    [...new Set(ids)].map((id) => firstValueFrom(localGuide(services, services.sources.resolve(id)))),
  );
  return locals.flatMap((local) => (local === null ? [] : factsOf(local)));
}

async function guidesIn(
  { sources }: Services,
  category: string,
  wikis: readonly WikiFacts[],
): Promise<string[]> {
  const inside = subtreeOf(category, categoryEdges(wikis));
  const rows = await firstValueFrom(sources.rows);
  return rows.filter((row) => inside.has(row.category)).map(({ id }) => id);
}

/** The record with the person's waiting changes. With changes it has no signatures. */
function factsOf({ facts, content, public: isPublic }: LocalGuide): GuideFacts[] {
  if (facts === null) return [];
  if (sameValue(contentOf(facts), content)) return [{ ...facts, public: isPublic }];
  const { featured_documentid, prerequisites, steps, ...rest } = content;
  return [
    {
      ...facts,
      ...rest,
      ...(facts.approval === undefined ? {} : { approval: { ...facts.approval, requests: [] } }),
      public: isPublic,
      featured_documentid: typeof featured_documentid === 'number' ? featured_documentid : null,
      prerequisites: prerequisites.filter((id) => !isTemporaryId(id)),
      steps: stepsOf(facts, steps),
    },
  ];
}

/** Numbers for steps that have none yet: higher than any that the server assigns. */
const firstOwnStep = 2 ** 40;

function stepsOf(facts: GuideFacts, steps: GuideContent['steps']): StepFacts[] {
  const known = new Map(facts.steps.map((step) => [stepKeyOf(step), step]));
  return steps.map(({ key, title, lines, media, time_estimate }, index) => {
    const before = known.get(key);
    const numbers = new Map(before?.lines.map(({ id, lineid }) => [id, lineid]));
    return {
      stepid: before?.stepid ?? firstOwnStep + index,
      revisionid: before?.revisionid ?? 0,
      title,
      lines: lines.map((line) => ({ ...line, lineid: numbers.get(line.id) ?? null })),
      media: media.type === 'object' ? { type: 'image', data: [] } : media,
      time_estimate,
    };
  });
}

async function guideToWrite(
  services: Services,
  facts: GuideFacts,
  included: ReadonlyMap<number, GuideMention>,
  wiki: WikiContext,
): Promise<GuideToWrite> {
  const { sources } = services;
  const names = await firstValueFrom(sources.names);
  const author = authorElsewhere(facts) ?? { userid: facts.userid, name: names.get(facts.userid) ?? '' };
  const prerequisites = await Promise.all(
    facts.prerequisites.map(async (id) => {
      const known = included.get(id);
      if (known !== undefined) return [known];
      const record = await sources.core.mirror.get('guides', String(id));
      return record === null ? [] : [mentionOf(record.facts, false)];
    }),
  );
  return {
    facts: { ...facts, userid: author.userid },
    author: author.name,
    tags: await firstValueFrom(tagsOf(sources, 'guide', String(facts.guideid))),
    prerequisites: prerequisites.flat(),
    forms: (await firstValueFrom(sources.core.mirror.where('stepForms', 'guideid', facts.guideid))).map(
      (record) => record.facts,
    ),
    wiki,
  };
}

function mentionOf(facts: GuideFacts, included: boolean): GuideMention {
  const { guideid, title, subject, type, langid, image } = facts;
  return { guideid, title, subject, type, langid, image, included };
}

/** The context in which texts are rendered. Links lead to the site, because the file is read elsewhere. */
async function contextOf({ sources }: Services, langid: string): Promise<WikiContext> {
  const { server } = await firstValueFrom(sources.me);
  const images = await firstValueFrom(sources.images);
  const template = templateLookup(await firstValueFrom(sources.templates), langid, langid);
  const rows = await firstValueFrom(sources.rows);
  const tags = await firstValueFrom(sources.guideTags);
  const guides = rows.map((row) => ({ ...row, tags: tags.get(row.id) ?? [] }));
  const byId = new Map(rows.map((row) => [Number(row.id), namedGuide(row)]));
  const byTitle = Map.groupBy(guides, ({ title }) => title);
  return {
    ...wikiContext(server, [], images, template),
    guideTitle: (guideid) => byId.get(guideid) ?? null,
    guideTitled: (title) => {
      const found = guideTitled(byTitle.get(title) ?? [], title);
      return found === null ? null : namedGuide(found);
    },
    guidelist: (options) => listedGuides(guides, options)?.map(namedGuide) ?? null,
  };
}

function namedGuide({ id, title, type }: Pick<GuideRow, 'id' | 'title' | 'type'>): NamedGuide {
  return { guideid: Number(id), title, url: guidePath({ guideid: Number(id), title, type }) };
}

/** A category and those below it, each after its parent. */
function categoriesOf(title: string, wikis: readonly WikiFacts[]): WikiFacts[] {
  const all = wikis.filter(({ namespace }) => namespace === 'CATEGORY');
  const byParent = Map.groupBy(all, ({ parent }) => parent);
  const found: WikiFacts[] = all.filter((one) => one.title === title).slice(0, 1);
  for (const one of found)
    found.push(...(byParent.get(one.title) ?? []).filter((child) => !found.includes(child)));
  return found;
}

/** Titles of the categories above a category, nearest first. */
function ancestorsOf(title: string, wikis: readonly WikiFacts[]): string[] {
  const parents = new Map(
    wikis.filter(({ namespace }) => namespace === 'CATEGORY').map((one) => [one.title, one.parent]),
  );
  const above: string[] = [];
  for (let one = parents.get(title); one != null && !above.includes(one); one = parents.get(one))
    above.push(one);
  return above;
}
