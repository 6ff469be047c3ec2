import { type GuideFacts, type StepFacts, bullets } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { contextForJob } from '#server/core/job.ts';
import { writeGuide } from '#server/features/guides/store.ts';
import { raiseNumber } from '#server/storage/feed.ts';
import { Dice } from '#test/simulation/random.ts';
import type { TestServer } from '#test/support/server.ts';

/** The words of all texts. */
export const corpusWords = wordsOf(
  'remove the screw from battery cover with a driver and lift it slowly before you disconnect cable ' +
    'under display while heat softens adhesive insert opening pick between frame slide along edge to cut ' +
    'note position of each bracket spring clip connector board press until clicks torque value bearing shaft ' +
    'clean surface alcohol replace gasket check wear measure gap align marks rotate clockwise hold firmly',
);
function wordsOf(text: string): [string, ...string[]] {
  const [first = '', ...others] = text.split(' ');
  return [first, ...others];
}

const types = ['replacement', 'repair', 'maintenance', 'disassembly', 'technique'] as const;
const categories = 40;
const firstDate = 1_700_000_000;
/** Guides written in one transaction. */
const perTransaction = 1000;

/** Guide number `n` (from 1) of the corpus: deterministic, about 20 steps, some 4 KB of JSON as facts. */
export function benchGuide(n: number, userid: number): GuideFacts {
  const dice = new Dice(n);
  const subject = textOf(dice, 1 + dice.below(2));
  const type = dice.one(types);
  const steps = dice.times(12 + dice.below(17), () => null).map((_, index) => stepOf(dice, n, index));
  return {
    guideid: n,
    revisionid: n,
    guide_revisionid: n,
    langid: 'en',
    userid,
    public: true,
    type,
    category: categoryOf(dice.below(categories)),
    subject,
    title: `${capital(subject)} ${type} ${n}`,
    summary: `${capital(textOf(dice, 6 + dice.below(6)))}.`,
    introduction_raw: dice.times(1 + dice.below(3), () => sentenceOf(dice)).join('\n'),
    conclusion_raw: sentenceOf(dice),
    difficulty: dice.one(['Easy', 'Moderate', 'Difficult']),
    time_required_min: 600,
    time_required_max: 600 + 300 * dice.below(20),
    flags: [],
    image: imageOf(n, 0),
    parts: [],
    tools: dice.times(dice.below(3), () => ({
      text: textOf(dice, 2),
      notes: null,
      type: 'tool',
      quantity: 1,
      url: '',
      thumbnail: null,
    })),
    documents: [],
    featured_documentid: null,
    featured_document_embed_url: '',
    featured_document_thumbnail_url: '',
    intro_video: null,
    prerequisites: [],
    steps,
    created_date: firstDate + n,
    published_date: firstDate + n,
    modified_date: firstDate + n,
    patrol_threshold: 0,
    ogdc_enabled: 'inherit',
    per_step_time_enabled: false,
    work_log_enabled: true,
    should_use_granular_permissions: false,
  };
}

/** Writes the first `count` guides of the corpus into the server, as the person `userid`. */
export async function writeCorpus(server: TestServer, count: number, userid: number): Promise<void> {
  for (let index = 0; index < categories; index += 1) await server.category(categoryOf(index));
  for (let from = 1; from <= count; from += perTransaction) {
    const last = Math.min(count, from + perTransaction - 1);
    await contextForJob(server.services, userid, async (ctx) => {
      for (let n = from; n <= last; n += 1) {
        const facts = benchGuide(n, userid);
        const { guideid, revisionid, guide_revisionid, category, type, title, langid } = facts;
        const { created_date, modified_date } = facts;
        const columns = { guideid, revisionid, guide_revisionid, category, type, title, langid, userid };
        await ctx.db
          .insertInto('guides')
          .values({ ...columns, public: 1, deleted: 0, featured: 0, created_date, modified_date })
          .execute();
        const steps = facts.steps.map(({ stepid }) => ({ stepid, guideid: n, deleted: 0 as const }));
        await ctx.db.insertInto('steps').values(steps).execute();
        await writeGuide({ ...ctx, viewer: { ...ctx.viewer, userid } }, facts, userid);
      }
      await raiseNumber(ctx.db, 'revision', last * 100);
      await raiseNumber(ctx.db, 'guide_revision', last);
    });
  }
}

function stepOf(dice: Dice, guide: number, index: number): StepFacts {
  const stepid = guide * 100 + index;
  const lines = dice.times(dice.chance(0.1) ? 2 : 1, () => null);
  return {
    stepid,
    revisionid: stepid,
    title: dice.chance(0.2) ? capital(textOf(dice, 2)) : '',
    lines: lines.map((_, line) => ({
      id: `${line}`,
      lineid: stepid * 10 + line,
      bullet: dice.chance(0.9) ? 'black' : must(bullets[dice.below(bullets.length)], 'a bullet'),
      level: line === 0 ? 0 : dice.below(2),
      text_raw: sentenceOf(dice),
    })),
    media: { type: 'image', data: dice.chance(0.2) ? [imageOf(guide, index + 1)] : [] },
    time_estimate: 0,
  };
}

function imageOf(guide: number, index: number): { id: number; guid: string; width: number; height: number } {
  const id = guide * 100 + index;
  return { id, guid: `img${id.toString(36).padStart(9, '0')}`, width: 1600, height: 1200 };
}

function categoryOf(index: number): string {
  return `Category ${index + 1}`;
}

function sentenceOf(dice: Dice): string {
  return `${capital(textOf(dice, 3 + dice.below(4)))}.`;
}

function textOf(dice: Dice, count: number): string {
  return dice.times(count, () => corpusWords[dice.below(corpusWords.length)]).join(' ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
