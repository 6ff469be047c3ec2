import type { DoingKind } from '../plan.ts';
import type { SeenOf } from '../user-session.ts';
import { wordsIn } from '../words.ts';
import type { Acting, Perform } from './acting.ts';

/** Actions on pages. */
export const pageDoings = {
  'page-save': savePage,
  'new-page': newPage,
  'item-part': savePart,
} satisfies Partial<Record<DoingKind, Perform>>;

type Page = NonNullable<SeenOf<'page'>>;

async function savePage(acting: Acting): Promise<void> {
  const page = await editablePage(acting, 'INFO');
  if (page === null) return;
  const word = acting.word('page');
  const { displayTitle, description, contents } = page.text;
  const words = contents.split(' ').filter((one) => one !== '');
  const replaces = acting.pick(1) % 4 === 0;
  const at = acting.pick(2) % (words.length + 1);
  const next = words.toSpliced(at, replaces ? 1 : 0, word).join(' ');
  acting.say(`page ${word} on ${page.title}`);
  const text = { displayTitle, description, contents: next };
  const left = new Set(wordsIn(next));
  acting.done.takenBack.push(...wordsIn(contents).filter((one) => !left.has(one)));
  await acting.actions.savePage(page.wikiid, text);
}

async function newPage(acting: Acting): Promise<void> {
  const word = acting.word('page');
  acting.say(`new-page ${word}`);
  const text = { displayTitle: '', description: '', contents: `Page ${word}` };
  await acting.actions.createPage('INFO', `Page ${word}`, text);
}

/** The page of an item lists parts: the person writes where one of them is sold. */
async function savePart(acting: Acting): Promise<void> {
  const page = await editablePage(acting, 'ITEM');
  if (page === null) return;
  const { displayTitle, description, contents, suppliers } = page.text;
  const part = acting.one(suppliers, 1);
  if (part === undefined) return;
  const word = acting.word('page');
  acting.say(`item-part ${word} of ${part['part_#']} on ${page.title}`);
  acting.done.takenBack.push(...wordsIn(part.url));
  const changed = { ...part, url: `https://parts.example/${word}` };
  const parts = suppliers.map((one) => (one === part ? changed : one));
  await acting.actions.savePage(page.wikiid, {
    displayTitle,
    description,
    contents,
    suppliers: parts,
  });
}

async function editablePage(acting: Acting, namespace: 'INFO' | 'ITEM'): Promise<Page | null> {
  const card = acting.one(await acting.look('pages', namespace), 0);
  const page = card === undefined ? null : await acting.look('page', card.wikiid);
  return page === null || page.editState === 'conflict' || !page.canEdit ? null : page;
}
