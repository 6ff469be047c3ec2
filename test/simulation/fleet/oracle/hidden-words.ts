import { maySee, maySeeOrder, maySeePlanned } from '../rights.ts';
import { stationName } from '../server-names.ts';
import { wordsIn } from '../words.ts';
import {
  docs,
  type DeviationDoc,
  type GuideDoc,
  type OrderDoc,
  type PlannedDoc,
  type Scene,
  type Violation,
} from './scene.ts';

/** Words that a person may not see: they occur only in guides, work orders, deviations and planned orders hidden from them. */
export function hiddenWords(
  { stored, ledger, station }: Pick<Scene, 'stored' | 'ledger' | 'station'>,
  person: string,
): string[] {
  const hidden = new Set<string>();
  const open = new Set<string>();
  const guides = new Map(docs<GuideDoc>(stored, 'guides').map((guide) => [guide.guideid, guide]));
  const orders = new Map(docs<OrderDoc>(stored, 'workLog').map((order) => [order.docid, order]));
  const isOfHiddenGuide = (text: string): boolean => {
    const guide = guides.get((JSON.parse(text) as { guideid?: number | null }).guideid ?? 0);
    return guide !== undefined && !maySee(stored, person, guide);
  };
  // Whether a person sees a work order does not follow from its guide.
  const isHiddenOrder = (order: OrderDoc | undefined): boolean =>
    order !== undefined && !maySeeOrder(stored, person, order, guides.get(order.guideid));
  const note = (text: string, isHidden: boolean): void => {
    for (const word of wordsIn(text)) (isHidden ? hidden : open).add(word);
  };
  for (const { collection, id, body } of stored.documents) {
    if (collection === 'viewer' || collection === 'people') continue;
    if (collection === 'workLog') note(body, isHiddenOrder(orders.get(id)));
    else if (collection === 'deviations')
      note(body, isHiddenOrder(orders.get(String((JSON.parse(body) as DeviationDoc).entryid))));
    else if (collection === 'plannedOrders')
      note(body, !maySeePlanned(stored, person, JSON.parse(body) as PlannedDoc));
    else note(body, isOfHiddenGuide(body));
  }
  for (const body of stored.past) note(body, isOfHiddenGuide(body));
  return [...hidden].filter((word) => !open.has(word) && !isOwnWord({ ledger, station }, word, person));
}

/** Whether a person wrote a word. A station has what was recorded at it. */
function isOwnWord(
  { ledger, station }: Pick<Scene, 'ledger' | 'station'>,
  word: string,
  person: string | null,
): boolean {
  const written = ledger.words.get(word);
  if (written === undefined) return false;
  return person === stationName ? written.device === station : written.person === person;
}

/** FLEET-5: nothing that a person may not see is shown to them, or is in the files of their device. */
export function shownElsewhere(scene: Scene): Violation[] {
  const found: Violation[] = [];
  for (const [index, one] of scene.seen.entries()) {
    if (one.person === null) continue;
    const hidden = new Set(hiddenWords(scene, one.person));
    // A place in which a person wrote is quarantined as a whole, also after the server accepted the text.
    const isOwn = (text: string): boolean => wordsIn(text).some((word) => isOwnWord(scene, word, one.person));
    // The number of a work order stays too while work on it is unsent: it names the work.
    const numbers = new Set(one.numbers.flatMap(wordsIn));
    const shown = wordsIn(JSON.stringify([one.guides, one.pages, one.orders, one.deviations]));
    for (const word of new Set(shown))
      if (hidden.has(word) && !numbers.has(word))
        found.push({ rule: 'FLEET-5', what: `device ${index} shows ${word} to ${one.person}` });
    const own = new Set([
      ...one.quarantine.filter(isOwn).flatMap(wordsIn),
      ...numbers,
      ...(one.person === stationName ? numbersAtStation(scene) : []),
    ]);
    for (const word of (scene.raw[index] ?? []).filter((inFiles) => !own.has(inFiles)))
      found.push({ rule: 'FLEET-5', what: `the files of device ${index} of ${one.person} hold ${word}` });
  }
  return found;
}

/** Numbers of the work orders about which a deviation was reported at the station: its log of sent calls names them. */
function numbersAtStation({ stored }: Scene): string[] {
  return docs<DeviationDoc>(stored, 'deviations')
    .filter(({ stationid }) => stationid !== undefined)
    .flatMap(({ workorderid }) => wordsIn(workorderid));
}
