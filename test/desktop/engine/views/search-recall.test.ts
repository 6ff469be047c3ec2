import { expect, test } from 'vitest';

import { loadRecordedContent } from '#server/demo-content/load.ts';
import { guideFromAnswer } from '#server/features/guides/import/guide-from-answer.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { must } from '#shared/must.ts';
import { openBench } from '#test/desktop/engine/bench/bench-of-test.ts';
import { now, settled } from '#test/desktop/engine/bench/live-values.ts';
import { guideOf } from '#test/support/guide-edits.ts';
import { StandInServer } from '#test/support/stand-in-server/stand-in-server.ts';

/** Guides in German and French, beside the English ones that are recorded. */
const translated = [
  'Kühlschrank Türdichtung ersetzen',
  'Schleifbock Antriebsriemen wechseln',
  'Kreissäge Sägeblatt schärfen',
  'Hydraulikschläuche prüfen und erneuern',
  'Ständerbohrmaschine Spindelöl nachfüllen',
  'Drehmaschine Backenfutter ausrichten',
  'Fräsmaschine Kühlmittelpumpe entkalken',
  'Remplacer le câble d’alimentation',
  'Régler la hauteur de la scie à ruban',
  'Vérifier l’étanchéité du réservoir',
  'Dépoussiérer le moteur de la raboteuse',
  'Changer les mâchoires de l’étau',
];

/** Changes a word of at least five letters: each is one way in which people search. */
const ways: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.slice(0, -2),
  (word) => word.toUpperCase(),
  (word) => word.normalize('NFD').replaceAll(/\p{M}/gu, ''),
  // Two neighbouring letters swapped, a letter missing, another letter, a letter twice.
  (word) => `${word.slice(0, 2)}${word[3]}${word[2]}${word.slice(4)}`,
  (word) => `${word.slice(0, 3)}${word.slice(4)}`,
  (word) => `${word.slice(0, 3)}e${word.slice(4)}`,
  (word) => `${word.slice(0, 4)}${word[3]}${word.slice(4)}`,
];

const wordsOf = (title: string): string[] => title.match(/\p{L}{5,}/gu) ?? [];

/** Two hundred searches, each with the guide that it is about: words of its title that few other titles have. */
function labelledSearches(guides: readonly GuideFacts[]): { search: string; guideid: number }[] {
  const uses = new Map<string, number>();
  for (const { title } of guides)
    for (const word of new Set(wordsOf(title.toLowerCase()))) uses.set(word, (uses.get(word) ?? 0) + 1);
  const rareness = (word: string): number => uses.get(word.toLowerCase()) ?? 0;
  const searchable = guides.filter(({ title }) => wordsOf(title).length > 0);
  return Array.from({ length: 200 }, (_, at) => {
    const { title, guideid } = must(searchable[at % searchable.length], 'a guide');
    const [first = '', second] = wordsOf(title).toSorted((a, b) => rareness(a) - rareness(b));
    const way = must(ways[(at + Math.floor(at / searchable.length)) % ways.length], 'a way');
    return { search: [way(first), ...(second === undefined ? [] : [second])].join(' '), guideid };
  });
}

test('FIND-1 FIND-2 in three languages, 95 % of 200 searches have the guide that they are about among the first ten results', async () => {
  const recorded = loadRecordedContent().guides.map((answer) => guideFromAnswer(answer).facts);
  const guides = [
    ...recorded,
    ...translated.map((title, at) => guideOf([['Werkzeug']], { guideid: 900_000 + at, title })),
  ];
  const server = StandInServer.still();
  for (const facts of guides) server.put('guides', String(facts.guideid), facts);
  const bench = await openBench(server);
  await now(bench.views.library({ category: null }));
  for (let turn = 0; turn < 5; turn += 1) await settled();
  const missed: string[] = [];
  const searches = labelledSearches(guides);
  for (const { search, guideid } of searches) {
    const { guides: found } = await now(bench.views.library({ category: null, search }));
    if (!found.slice(0, 10).some((one) => one.guideid === String(guideid))) missed.push(search);
  }
  expect(new Set(searches.map(({ guideid }) => guideid)).size).toBeGreaterThan(60);
  expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(10);
});
