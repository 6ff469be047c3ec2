import { wordsIn } from './words.ts';
import { maySee, maySeeOrder } from './rights.ts';
import type { Ledger } from './ledger.ts';
import type { Stored } from './server-world.ts';
import type { Seen } from './wire.ts';

/** A broken rule of README.md. */
export interface Violation {
  rule: 'FLEET-1' | 'FLEET-2' | 'FLEET-3' | 'FLEET-4' | 'FLEET-5' | 'FLEET-6' | 'FLEET-7';
  what: string;
}

/** The state at a quiet point. */
export interface Scene {
  ledger: Ledger;
  stored: Stored;
  seen: Seen[];
  /** People who wrote on each device and are not signed in there now: their work there is invisible. */
  absent: ReadonlySet<string>[];
  /** Words in each device's files that must not be there. */
  raw: string[][];
  /** The server's refusals to each device: `key status`. */
  refused: ReadonlySet<string>[];
}

interface GuideDoc {
  guideid: number;
  userid: number;
  public: boolean;
  allowed_users?: number[];
  allowed_teams?: number[];
  title: string;
  summary: string;
  introduction_raw: string;
  conclusion_raw: string;
  steps: { title: string; lines: { text_raw: string }[] }[];
}
interface CommentDoc {
  guideid: number | null;
  text_raw: string;
}
interface OrderDoc {
  guideid: number;
  workorderid: string;
  events: { type: string; userid: number }[];
}
interface PageDoc {
  namespace: string;
  title: string;
  contents_raw: string;
}

/** Checks a scene against every rule. */
export function judge(scene: Scene): Violation[] {
  return [
    ...lostWords(scene),
    ...lostFiles(scene),
    ...undeleted(scene),
    ...doubled(scene),
    ...markedAgain(scene),
    ...views(scene),
    ...unfounded(scene),
    ...shownElsewhere(scene),
  ];
}

function docs<T>({ documents }: Stored, collection: string): (T & { docid: string })[] {
  return documents
    .filter((one) => one.collection === collection)
    .map(({ id, body }) => ({ ...(JSON.parse(body) as T), docid: id }));
}

/** FLEET-2: every word is on the server, or its author finds it on a device. */
function lostWords({ ledger, stored, seen, absent }: Scene): Violation[] {
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
  for (const { word, person, kind, isAcknowledged, gone, device } of ledger.words.values()) {
    if (!isAcknowledged || gone !== null) continue;
    const enough = [...ledger.together(word)];
    if (enough.some((one) => current.has(one) || goneAlong.has(one) || isGone(one))) continue;
    const holds = (one: Seen): boolean =>
      one.kept.some((text) => wordsIn(text).some((kept) => enough.includes(kept)));
    if (seen.some((one) => one.person === person && holds(one))) continue;
    if (absent.some((people) => people.has(person))) continue;
    const where = device === null ? `${person} without a device` : `${person} on device ${device}`;
    const what = past.has(word) ? 'is in a version of before only, and nobody took it back' : 'is nowhere';
    const rule = device !== null && ledger.hurt.has(device) ? 'FLEET-1' : 'FLEET-2';
    found.push({ rule, what: `${word} (${kind} of ${where}) ${what}` });
  }
  for (const [index, one] of seen.entries())
    for (const id of [...one.hidden, ...wronglyOrphaned(one, stored)])
      found.push({
        rule: 'FLEET-2',
        what: `device ${index} announces a decision about ${id} and shows none`,
      });
  return found;
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
function undeleted({ ledger, stored, seen, absent }: Scene): Violation[] {
  const present = new Set(
    docs<CommentDoc>(stored, 'comments').flatMap(({ text_raw: text }) => wordsIn(text)),
  );
  return [...ledger.deleted].flatMap(([word, { person }]): Violation[] => {
    const waits =
      absent.some((people) => people.has(person)) ||
      seen.some((one) => one.person === person && one.kept.some((text) => text.includes('DELETE')));
    if (!present.has(word) || waits) return [];
    return [{ rule: 'FLEET-2', what: `${word} (comment of ${person}) is there, although it was deleted` }];
  });
}

/** FLEET-3: everything exactly once. */
function doubled({ ledger, stored }: Scene): Violation[] {
  const found: Violation[] = [];
  const counts = new Map<string, number>();
  const count = (text: string): void => {
    for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  for (const guide of docs<GuideDoc>(stored, 'guides')) count(guideText(guide));
  for (const { text_raw: text } of docs<CommentDoc>(stored, 'comments')) count(text);
  for (const { workorderid } of docs<OrderDoc>(stored, 'workLog')) count(workorderid);
  for (const { contents_raw: text } of docs<PageDoc>(stored, 'wikis')) count(text);
  for (const written of ledger.words.values()) {
    const { word, kind } = written;
    const times = counts.get(word) ?? 0;
    if (times > ledger.mostTimes(written) && !ledger.copied.has(word))
      found.push({ rule: 'FLEET-3', what: `${word} (${kind}) is there ${times} times` });
  }
  for (const { workorderid, events } of docs<OrderDoc>(stored, 'workLog')) {
    if (ledger.copied.has(workorderid)) continue;
    const made = ledger.moves.get(workorderid) ?? [];
    for (const type of new Set(events.map((event) => event.type))) {
      if (!['pause', 'resume', 'suspend', 'assume', 'finish', 'cancel'].includes(type)) continue;
      const times = events.filter((event) => event.type === type).length;
      const wanted = made.filter((move) => move === type).length;
      if (times > wanted)
        found.push({
          rule: 'FLEET-3',
          what: `work order ${workorderid}: ${type} ${times} times, made ${wanted} times`,
        });
    }
  }
  return found;
}

/**
 * FLEET-3: a repeated call takes effect once: a mark that its person saw and removed on another device stays removed.
 */
function markedAgain({ ledger, stored, seen }: Scene): Violation[] {
  return [...ledger.marks].flatMap(([key, changes]): Violation[] => {
    const [kind = '', guideid = '', person = ''] = key.split(' ');
    const [first, second] = changes;
    if (changes.length !== 2 || first === undefined || second === undefined) return [];
    const both = [first, second];
    // A person who does the opposite on another device had received the first change, if nothing else was done since
    // all were equal.
    if (first.device === second.device || first.on === second.on) return [];
    const mayDiffer = both.some(
      ({ device, isAcknowledged }) =>
        !isAcknowledged || ledger.hurt.has(device) || !ledger.wereEqual(device, person),
    );
    const waits = seen.some((one) => one.person === person && one.kept.length > 0);
    if (mayDiffer || waits) return [];
    const userid = stored.users.find(({ username }) => username === person)?.userid;
    const rows = kind === 'favorite' ? stored.favorites : stored.completions;
    const isOn = rows.some((row) => row.userid === userid && String(row.guideid) === guideid);
    if (isOn === second.on) return [];
    return [
      { rule: 'FLEET-3', what: `${kind} of guide ${guideid} is ${isOn} again, and ${person} took that back` },
    ];
  });
}

function guideText({ title, summary, introduction_raw, conclusion_raw, steps }: GuideDoc): string {
  const lines = steps.flatMap((step) => [step.title, ...step.lines.map(({ text_raw }) => text_raw)]);
  return [title, summary, introduction_raw, conclusion_raw, ...lines].join('\n');
}

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

/** Refusals made by a device itself: lost records, and calls that would overwrite a newer text. */
const ownRefusals = new Set([0, 404, 409]);

/** FLEET-4: no call counts as refused that the server did not refuse, or would accept from an up-to-date app. */
function unfounded({ seen, refused }: Scene): Violation[] {
  return seen.flatMap(({ refusals }, index) =>
    refusals.flatMap(([key, status]): Violation[] => {
      const isTold = ownRefusals.has(status) || refused[index]?.has(`${key} ${status}`) === true;
      return isTold && status !== 426
        ? []
        : [{ rule: 'FLEET-4', what: `device ${index} says that ${key} was refused with ${status}` }];
    }),
  );
}

/** FLEET-5: nothing that a person may not see is shown to them, or is in the files of their device. */
function shownElsewhere(scene: Scene): Violation[] {
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

/** FLEET-2: every recorded file is on the server, or waits. */
function lostFiles({ ledger, stored, seen, absent }: Scene): Violation[] {
  const files = new Set(stored.files);
  return [...ledger.files].flatMap(([sha256, { person, device }]): Violation[] => {
    const one = seen[device];
    const waits = one?.kept.some((text) => text.includes('"kind":"picture"')) === true;
    if (files.has(sha256) || waits || absent[device]?.has(person) === true) return [];
    return [{ rule: 'FLEET-2', what: `a file of ${person} on device ${device} is nowhere: ${sha256}` }];
  });
}

/** FLEET-4: every device is at rest and shows what its person may see. */
function views({ stored, seen }: Scene): Violation[] {
  const found: Violation[] = [];
  const guides = docs<GuideDoc>(stored, 'guides');
  const comments = docs<CommentDoc>(stored, 'comments');
  const pages = docs<PageDoc>(stored, 'wikis').filter(({ namespace }) => namespace === 'INFO');
  for (const [index, one] of seen.entries()) {
    const { person } = one;
    if (person === null || one.status !== 'signed-in') continue;
    const say = (what: string): void =>
      void found.push({ rule: 'FLEET-4', what: `device ${index} of ${person} ${what}` });
    if (
      one.pending > one.blocked ||
      one.phase !== 'idle' ||
      one.connection !== 'online' ||
      one.trouble !== null
    )
      say(
        `is not at rest: ${one.pending} pending, ${one.phase}, ${one.connection}, ${one.trouble ?? ''} ${one.kept.slice(0, 2).join(' ').slice(0, 600)}`,
      );
    const userid = stored.users.find(({ username }) => username === person)?.userid;
    const visible = guides.filter((guide) => maySee(stored, person, guide));
    const ids = new Set(visible.map(({ docid }) => docid));
    for (const id of Object.keys(one.guides))
      if (!ids.has(id) && one.guides[id]?.isPending === false) say(`shows guide ${id}, which it may not`);
    for (const guide of visible) {
      const shown = one.guides[guide.docid];
      if (shown === undefined) {
        if (!one.kept.some((text) => text.includes(`/guides/${guide.docid}`)))
          say(`does not show guide ${guide.docid}`);
        continue;
      }
      if (shown.isPending) continue;
      const text = JSON.stringify([
        guide.title,
        guide.summary,
        plainText(guide.introduction_raw),
        plainText(guide.conclusion_raw),
        guide.steps.map(({ title, lines }) => [title, ...lines.map(({ text_raw }) => text_raw)]),
      ]);
      if (shown.text !== text)
        say(`shows of guide ${guide.docid}\n  ${shown.text}\n  and the server has\n  ${text}`);
      const waits = one.kept.length > 0;
      const texts = comments
        .filter(({ guideid }) => guideid === guide.guideid)
        .map(({ text_raw }) => text_raw)
        .toSorted();
      if (!waits && JSON.stringify(texts) !== JSON.stringify(shown.comments))
        say(
          `shows comments ${shown.comments.join(', ')} of guide ${guide.docid} and the server has ${texts.join(', ')}`,
        );
      const tags = stored.guideTags
        .filter(({ guideid }) => guideid === guide.guideid)
        .map(({ name }) => name)
        .toSorted();
      if (!waits && JSON.stringify(tags) !== JSON.stringify(shown.tags))
        say(
          `shows tags ${shown.tags.join(', ')} of guide ${guide.docid} and the server has ${tags.join(', ')}`,
        );
      const isFavorite = stored.favorites.some(
        (row) => row.userid === userid && row.guideid === guide.guideid,
      );
      if (!waits && isFavorite !== shown.favorite)
        say(`shows favourite ${shown.favorite} of guide ${guide.docid}`);
      const isCompleted = stored.completions.some(
        (row) => row.userid === userid && row.guideid === guide.guideid,
      );
      if (!waits && isCompleted !== shown.completed)
        say(`shows completed ${shown.completed} of guide ${guide.docid}`);
    }
    for (const page of pages) {
      const shown = one.pages[page.title];
      if (one.kept.some((text) => text.includes('"page"'))) continue;
      if (shown !== page.contents_raw)
        say(`shows page ${page.title} as ${shown} and the server has ${page.contents_raw}`);
    }
  }
  return found;
}

function plainText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
