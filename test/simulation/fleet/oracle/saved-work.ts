import { maySeeOrder } from '../rights.ts';
import type { Stored } from '../server-stored.ts';
import type { Seen } from '../wire.ts';
import { wordsIn } from '../words.ts';
import { docs, type CommentDoc, type GuideDoc, type OrderDoc, type Scene, type Violation } from './scene.ts';

/** FLEET-2: every word is on the server, or its author finds it on a device. */
export function lostWords({ ledger, stored, seen, old, absent }: Scene): Violation[] {
  const current = new Set([
    ...stored.documents.flatMap(({ body }) => wordsIn(body)),
    ...stored.tags.flatMap(wordsIn),
  ]);
  const past = new Set(stored.past.flatMap(wordsIn));
  const isGone = (one: string): boolean => ledger.words.get(one)?.gone != null;
  // Replies are deleted with a comment that its author deletes, whoever wrote them.
  const goneAlong = new Set(
    stored.deletedReplies
      .filter(({ answered }) => wordsIn(answered).some((one) => [...ledger.together(one)].some(isGone)))
      .flatMap(({ text }) => wordsIn(text)),
  );
  const found: Violation[] = [];
  const orders = docs<OrderDoc>(stored, 'workLog');
  // The value was recorded on another device.
  const isNeedless = (word: string): boolean => {
    const reason = ledger.reasons.get(word);
    const values = orders
      .filter(({ workorderid }) => workorderid === reason?.order)
      .flatMap(({ events }) => events.flatMap(({ data = [] }) => data));
    return values.some(({ field_revisionid, value }) => field_revisionid === reason?.field && value !== '');
  };
  for (const { word, person, kind, isAcknowledged, gone, device } of ledger.words.values()) {
    if (!isAcknowledged || gone !== null || isNeedless(word)) continue;
    const enough = [...ledger.together(word)];
    if (enough.some((one) => current.has(one) || goneAlong.has(one) || isGone(one))) continue;
    const holds = (one: Seen): boolean =>
      one.kept.some((text) => wordsIn(text).some((kept) => enough.includes(kept)));
    if (seen.some((one) => isAbout(one, person) && holds(one))) continue;
    if (absent.some((people) => people.has(person))) continue;
    const where = device === null ? `${person} without a device` : `${person} on device ${device}`;
    const what = past.has(word) ? 'is in a version of before only, and nobody took it back' : 'is nowhere';
    const rule = device !== null && ledger.hurt.has(device) ? 'FLEET-1' : 'FLEET-2';
    found.push({ rule, what: `${word} (${kind} of ${where}) ${what}` });
  }
  for (const [index, one] of seen.entries()) {
    // The old app can lose the draft of a decision. The present app shows its words again (LEAVING-8).
    if (index === old) continue;
    for (const id of [...one.hidden, ...wronglyOrphaned(one, stored)])
      found.push({
        rule: 'FLEET-2',
        what: `device ${index} announces a decision about ${id} and shows none`,
      });
  }
  return found;
}

/** Whether a device shows what waits in the name of a person: their own does, and a station. */
function isAbout(one: Seen, person: string): boolean {
  return one.person === person || one.station !== undefined;
}

/** Decisions about work orders that a device does not show, although its person may see the order. */
function wronglyOrphaned({ person, status, orphaned }: Seen, stored: Stored): string[] {
  // A person who must sign in does not learn about regained rights.
  if (person === null || status !== 'signed-in') return [];
  const orders = docs<OrderDoc>(stored, 'workLog');
  const guides = docs<GuideDoc>(stored, 'guides');
  return orphaned.flatMap(({ id, entryid }) => {
    const order = orders.find(({ docid }) => docid === entryid);
    const guide = guides.find(({ guideid }) => guideid === order?.guideid);
    return order !== undefined && maySeeOrder(stored, person, order, guide) ? [id] : [];
  });
}

/** FLEET-2: a comment that its author deleted is gone, unless its deletion waits, or was refused and discarded. */
export function undeleted({ ledger, stored, seen, absent }: Scene): Violation[] {
  const present = new Set(
    docs<CommentDoc>(stored, 'comments').flatMap(({ text_raw: text }) => wordsIn(text)),
  );
  return [...ledger.deleted].flatMap(([word, { person }]): Violation[] => {
    const waits =
      absent.some((people) => people.has(person)) ||
      seen.some((one) => isAbout(one, person) && one.kept.some((text) => text.includes('DELETE')));
    if (!present.has(word) || waits) return [];
    return [{ rule: 'FLEET-2', what: `${word} (comment of ${person}) is there, although it was deleted` }];
  });
}

/** FLEET-2: every recorded file is on the server, or waits. */
export function lostFiles({ ledger, stored, seen, absent }: Scene): Violation[] {
  const files = new Set(stored.files);
  return [...ledger.files].flatMap(([sha256, { person, device }]): Violation[] => {
    const one = seen[device];
    const waits = one?.kept.some((text) => text.includes('"kind":"picture"')) === true;
    if (files.has(sha256) || waits || absent[device]?.has(person) === true) return [];
    return [{ rule: 'FLEET-2', what: `a file of ${person} on device ${device} is nowhere: ${sha256}` }];
  });
}
