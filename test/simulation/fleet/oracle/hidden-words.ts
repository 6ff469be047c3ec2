import { maySee } from '../rights.ts';
import { wordsIn } from '../words.ts';
import { docs, type GuideDoc, type OrderDoc, type Scene, type Violation } from './scene.ts';

/** Words that a person may not see: they occur only in guides hidden from them. */
export function hiddenWords({ stored, ledger }: Pick<Scene, 'stored' | 'ledger'>, person: string): string[] {
  const hidden = new Set<string>();
  const open = new Set<string>();
  const guides = new Map(docs<GuideDoc>(stored, 'guides').map((guide) => [guide.guideid, guide]));
  const userid = stored.users.find(({ username }) => username === person)?.userid;
  // Every holder of a work order sees it, whatever becomes of its guide.
  const isHeld = (body: string): boolean =>
    (JSON.parse(body) as OrderDoc).events.some(
      (event) => event.userid === userid && ['start', 'assume'].includes(event.type),
    );
  const texts: [number | null, string][] = [
    ...stored.documents.flatMap(({ collection, body }): [number | null, string][] => {
      if (collection === 'viewer' || collection === 'people') return [];
      if (collection === 'workLog' && isHeld(body)) return [[null, body]];
      return [[(JSON.parse(body) as { guideid?: number | null }).guideid ?? null, body]];
    }),
    ...stored.past.map((body): [number | null, string] => [
      (JSON.parse(body) as { guideid?: number }).guideid ?? null,
      body,
    ]),
  ];
  for (const [guideid, text] of texts) {
    const guide = guideid === null ? undefined : guides.get(guideid);
    const isHidden = guide !== undefined && !maySee(stored, person, guide);
    for (const word of wordsIn(text)) (isHidden ? hidden : open).add(word);
  }
  return [...hidden].filter((word) => !open.has(word) && ledger.words.get(word)?.person !== person);
}

/** FLEET-5: nothing that a person may not see is shown to them, or is in the files of their device. */
export function shownElsewhere(scene: Scene): Violation[] {
  const { ledger } = scene;
  const found: Violation[] = [];
  for (const [index, one] of scene.seen.entries()) {
    if (one.person === null) continue;
    const hidden = new Set(hiddenWords(scene, one.person));
    const shown = JSON.stringify([one.guides, one.pages, one.orders]);
    for (const word of new Set(wordsIn(shown)))
      if (hidden.has(word))
        found.push({ rule: 'FLEET-5', what: `device ${index} shows ${word} to ${one.person}` });
    // A place in which a person wrote is quarantined as a whole, also after the server accepted the text.
    const isOwn = (text: string): boolean =>
      wordsIn(text).some((word) => ledger.words.get(word)?.person === one.person);
    // The number of a work order stays too while work on it is unsent: it names the work.
    const own = new Set([...one.quarantine.filter(isOwn), ...one.numbers].flatMap(wordsIn));
    for (const word of (scene.raw[index] ?? []).filter((held) => !own.has(held)))
      found.push({ rule: 'FLEET-5', what: `the files of device ${index} of ${one.person} hold ${word}` });
  }
  return found;
}
