import type { StoredStation } from '../server-stored.ts';
import { wordsIn } from '../words.ts';
import {
  docs,
  type CommentDoc,
  type DeviationDoc,
  type OrderDoc,
  type Scene,
  type Violation,
} from './scene.ts';

/** How long calls of a former member that a lead accepted may arrive, seconds (STATION-7). */
const acceptedFor = 7 * 24 * 3600;

/** Transitions of work orders. */
const moves = new Set(['pause', 'resume', 'suspend', 'assume', 'finish', 'cancel']);

/** FLEET-10: what is recorded at a station is its person's, says so, and waits for a lead where it must. */
export function stationWork(scene: Scene): Violation[] {
  const { stored, station } = scene;
  const [here] = stored.stations;
  if (station === undefined || here === undefined) return [];
  const found = [
    ...wrongAuthors(scene, here),
    ...wrongMovers(scene, here),
    ...strangersIn(scene, here),
    ...unseenWaits(scene, here),
  ];
  return found.map((what) => ({ rule: 'FLEET-10', what }));
}

/** A part of a stored record that one person recorded: its text, whose it is, and at which station. */
interface Part {
  where: string;
  text: string;
  userid: number;
  stationid: number | undefined;
  /** Whether others may have added to the text. */
  isShared: boolean;
  /** Where the server may have begun the record for this person, before somebody wrote in it. */
  begunAt?: readonly number[];
}

function partsOf({ stored, ledger }: Scene): Part[] {
  const comments = docs<CommentDoc>(stored, 'comments').map(
    ({ docid, text_raw: text, userid, stationid }): Part => {
      // A comment of before may have been changed on another device of its author since.
      return { where: `comment ${docid}`, text, userid, stationid, isShared: true };
    },
  );
  const orders = docs<OrderDoc>(stored, 'workLog');
  const deviations = docs<DeviationDoc>(stored, 'deviations').map(
    ({ docid, title, note, userid, stationid, entryid }): Part => {
      const text = `${title} ${note}`;
      // The end of an order reports what was not reported.
      const events = orders.find((order) => order.docid === String(entryid))?.events ?? [];
      const begunAt = events.flatMap((event) => (event.type === 'finish' ? (event.stationid ?? []) : []));
      return { where: `deviation ${docid}`, text, userid, stationid, isShared: true, begunAt };
    },
  );
  const events = orders.flatMap(({ workorderid, events: all }) =>
    all.map(({ type, userid, stationid, note = '', gaps = [], data = [] }): Part => {
      const isOwnStart = type === 'start' && !ledger.copied.has(workorderid);
      const words = [note, ...gaps.map(({ reason }) => reason ?? ''), ...data.map(({ value }) => value)];
      const text = [...words, isOwnStart ? workorderid : ''].join(' ');
      return { where: `${type} of ${workorderid}`, text, userid, stationid, isShared: false };
    }),
  );
  return [...comments, ...deviations, ...events];
}

/** Records that are not of the person who wrote them, or whose mark is missing or wrong. */
function wrongAuthors(scene: Scene, { stationid: here, members }: StoredStation): string[] {
  const { ledger, stored, station } = scene;
  const names = new Map(stored.users.map(({ userid, username }) => [userid, username]));
  return partsOf(scene).flatMap(({ where, text, userid, stationid, isShared, begunAt = [] }): string[] => {
    const say = (what: string): string => `${where} (${text.trim()}) of ${names.get(userid)} ${what}`;
    if (userid === here) return [say('is of the station itself')];
    if (stationid !== undefined && (stationid !== here || !members.some((one) => one.userid === userid)))
      return [say('is of nobody who ever was of the station')];
    const words = wordsIn(text).flatMap((word) => ledger.words.get(word) ?? []);
    const own = words.filter(({ person }) => person === names.get(userid));
    if (words.length > 0 && own.length < (isShared ? 1 : words.length))
      return [say(`was written by ${words.map(({ person }) => person).join(', ')}`)];
    // Any of the texts of a comment may have been the first.
    const all = own.flatMap(({ word }) =>
      isShared ? [...ledger.allTexts(word)].flatMap((one) => ledger.words.get(one) ?? []) : [],
    );
    const isMarked = stationid !== undefined;
    const mayBe =
      begunAt.includes(stationid ?? 0) ||
      [...own, ...all].some(({ device }) => (device === station) === isMarked);
    if (own.length > 0 && !mayBe) return [say(isMarked ? 'has the mark of the station' : 'has no mark')];
    return [];
  });
}

/** Transitions that are not of the person who made them, or whose mark is missing or wrong. */
function wrongMovers({ ledger, stored, station }: Scene, { stationid: here }: StoredStation): string[] {
  const names = new Map(stored.users.map(({ userid, username }) => [userid, username]));
  return docs<OrderDoc>(stored, 'workLog').flatMap(({ workorderid, events }) => {
    if (ledger.copied.has(workorderid)) return [];
    return events.flatMap(({ type, userid, stationid }): string[] => {
      const movers = ledger.movers.get(`${workorderid} ${type}`) ?? [];
      if (!moves.has(type) || movers.length === 0) return [];
      const isTrue = movers.some(
        ({ person, device }) => person === names.get(userid) && (device === station) === (stationid === here),
      );
      return isTrue ? [] : [`${type} of ${workorderid} says ${names.get(userid)}, station ${stationid}`];
    });
  });
}

/** Calls that arrived in the name of somebody who was not of the station, without a lead. Times are UNIX seconds. */
function strangersIn({ ledger, stored }: Scene, { members, arrivals }: StoredStation): string[] {
  const names = new Map(stored.users.map(({ userid, username }) => [userid, username]));
  return arrivals.flatMap(({ userid, date, recorded, action }): string[] => {
    const person = names.get(userid) ?? '';
    const was = members.some(
      (one) => one.userid === userid && one.since <= date && date <= (one.until ?? date),
    );
    const isAccepted = ledger.accepted.some(
      (one) => one.person === person && one.at <= date && date <= one.at + acceptedFor && recorded <= one.at,
    );
    return was || isAccepted ? [] : [`${action} arrived in the name of ${person}, whom no lead accepted`];
  });
}

/** Work of former members that waits at the station without being shown there and to their leads. */
function unseenWaits({ ledger, stored, seen, station }: Scene, { members, former }: StoredStation): string[] {
  const shown = seen[station ?? -1];
  if (shown?.station === undefined || shown.status !== 'signed-in') return [];
  const users = new Map(stored.users.map(({ userid, username }) => [username, userid]));
  const wrong = shown.kept.filter(
    (text) => text.includes('"state":"parked"') && text.includes('A lead decides'),
  );
  if (wrong[0] !== undefined) return [`a call that a lead must accept counts as refused: ${wrong[0]}`];
  const waiting = shown.kept.filter((text) => text.includes('"state":"queued"'));
  // A call about an order also contains words of others, such as the number under which somebody else began it.
  const people = new Set(
    waiting.flatMap((text) =>
      wordsIn(text).flatMap((word) => {
        const written = ledger.words.get(word);
        const isOwn = written?.device === station && written?.gone === null;
        return isOwn && text.includes(`"username":"${written.person}"`) ? [written.person] : [];
      }),
    ),
  );
  return [...people].flatMap((person): string[] => {
    const userid = users.get(person);
    if (members.some((one) => one.userid === userid && one.until === null)) return [];
    const told = shown.station?.waiting.find((one) => one.person === person);
    // The rest waits behind a call that was refused: by a lead, or because the order has left the station (STATION-10).
    if (told !== undefined && told.refused > 0) return [];
    if (told === undefined || told.needLead === 0)
      return [`work of ${person}, who left, waits at the station, and it does not show that: ${waiting[0]}`];
    return former.some((one) => one.userid === userid)
      ? []
      : [`work of ${person}, who left, waits at the station, and no lead sees that`];
  });
}
