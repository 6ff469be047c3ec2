import { z } from 'zod';

import type { Context } from '#server/core/context.ts';
import type { Services } from '#server/core/services.ts';
import { requireTreeTitle } from '#server/features/wikis/place.ts';
import { findWiki, saveWiki, stubOf } from '#server/features/wikis/store.ts';

import { contextForJob } from '../../../core/job.ts';
import { guideFromAnswer, type ImportedGuide } from './guide-from-answer.ts';
import { choiceFor, guideExists, ImportedIds, reserveIds, type IdChoice } from './ids.ts';
import { importPeople } from './people.ts';
import { storeGuide } from './store-guide.ts';

/** A tree of category titles. */
export interface CategoryTree {
  [title: string]: CategoryTree;
}

export interface ImportOptions {
  /** Whether ids and revision numbers stay. Default: `keep` if all existing guides come from the same site. */
  ids?: IdChoice;
  /** Name of the other site. Default: the host in the addresses of the answers. */
  site?: string;
  /** The parents of categories. Categories outside of the tree are at the top level. */
  categories?: CategoryTree;
}

/** The result of an import. */
export interface ImportReport {
  ids: IdChoice;
  imported: { source: number; guideid: number; title: string }[];
  /** Guides from an earlier import that this one continues. */
  skipped: { source: number; guideid: number }[];
  /** Answers that are not guides; `index` counts from 0. */
  failed: { index: number; message: string }[];
  /** Created accounts, categories and comments. */
  people: number;
  categories: string[];
  comments: number;
  /** Exceeded limits that were accepted, and content that was left out. */
  notes: { guideid: number; notes: string[] }[];
}

/**
 * Imports answers of `GET /guides/{guideid}` of any server with this API. Each guide is one transaction, so an
 * interrupted import can be continued by starting it again.
 */
export async function importGuides(
  services: Services,
  answers: unknown[],
  options: ImportOptions = {},
): Promise<ImportReport> {
  const { guides, failed } = readAnswers(answers, options.site);
  const site = guides[0]?.site ?? options.site ?? '';
  const report: ImportReport = {
    ids: 'map',
    imported: [],
    skipped: [],
    failed,
    people: 0,
    categories: [],
    comments: 0,
    notes: [],
  };
  await contextForJob(services, null, async (ctx) => {
    report.ids = options.ids ?? (await choiceFor(ctx, site));
    report.categories = await addTree(ctx, options.categories ?? {}, null);
    report.people = await prepare(ctx, guides, report.ids);
  });
  for (const guide of guides) await importOne(services, guide, report);
  return report;
}

function readAnswers(
  answers: unknown[],
  site: string | undefined,
): { guides: ImportedGuide[]; failed: ImportReport['failed'] } {
  const guides: ImportedGuide[] = [];
  const failed: ImportReport['failed'] = [];
  for (const [index, answer] of answers.entries()) {
    try {
      const guide = guideFromAnswer(answer);
      guides.push(site === undefined ? guide : from(site, guide));
    } catch (error) {
      if (!(error instanceof z.ZodError)) throw error;
      failed.push({ index, message: z.prettifyError(error) });
    }
  }
  return { guides, failed };
}

/** The guide with the given site as its origin. */
function from(site: string, guide: ImportedGuide): ImportedGuide {
  return guide.site === site ? guide : { ...guide, site, origin: `https://${site}` };
}

/** Imports people, because guides need an author, and then reserves the ids of all guides and steps. */
async function prepare(ctx: Context, guides: ImportedGuide[], choice: IdChoice): Promise<number> {
  let people = 0;
  for (const guide of guides) {
    const ids = new ImportedIds(ctx, guide.site);
    people += await importPeople(ctx, ids, guide.people, choice);
    const { facts } = guide;
    const userid = (await ids.find('user', facts.userid)) ?? 0;
    const stepids = facts.steps.map((step) => step.stepid);
    await reserveIds(ctx, ids, { guideid: facts.guideid, stepids }, choice, userid);
  }
  return people;
}

async function importOne(services: Services, guide: ImportedGuide, report: ImportReport): Promise<void> {
  const source = guide.facts.guideid;
  await contextForJob(services, null, async (ctx) => {
    const ids = new ImportedIds(ctx, guide.site);
    const known = await ids.find('guide', source);
    if (known !== undefined && (await guideExists(ctx, known))) {
      report.skipped.push({ source, guideid: known });
      return;
    }
    for (const title of guide.categories) {
      if (await addCategory(ctx, title, null)) report.categories.push(title);
    }
    const { facts, notes } = await storeGuide(ctx, ids, guide, report.ids);
    const { guideid } = facts;
    report.imported.push({ source, guideid, title: guide.facts.title });
    report.comments += guide.comments.length;
    const all = [...guide.notes, ...notes];
    if (all.length > 0) report.notes.push({ guideid, notes: all });
  });
}

async function addTree(ctx: Context, tree: CategoryTree, parent: string | null): Promise<string[]> {
  const added: string[] = [];
  for (const [title, below] of Object.entries(tree)) {
    if (await addCategory(ctx, title, parent)) added.push(title);
    added.push(...(await addTree(ctx, below, title)));
  }
  return added;
}

/** Creates a stub of a category if it does not exist. Returns whether it was created. */
export async function addCategory(ctx: Context, title: string, parent: string | null): Promise<boolean> {
  const { langid } = ctx.services.site;
  if ((await findWiki(ctx.db, 'CATEGORY', title, langid)) !== undefined) return false;
  requireTreeTitle('CATEGORY', title);
  await saveWiki(ctx, stubOf({ namespace: 'CATEGORY', title, langid, parent, userid: 0 }));
  return true;
}
