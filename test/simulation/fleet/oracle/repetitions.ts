import { wordsIn } from '../words.ts';
import {
  docs,
  type CommentDoc,
  type DeviationDoc,
  type GuideDoc,
  type OrderDoc,
  type PageDoc,
  type PlannedDoc,
  type Scene,
  type Violation,
} from './scene.ts';

/** FLEET-3: everything exactly once. */
export function doubled({ ledger, stored }: Scene): Violation[] {
  const found: Violation[] = [];
  const counts = new Map<string, number>();
  const count = (text: string): void => {
    for (const word of wordsIn(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  };
  for (const guide of docs<GuideDoc>(stored, 'guides')) count(guideText(guide));
  for (const { text_raw: text } of docs<CommentDoc>(stored, 'comments')) count(text);
  for (const { workorderid, events } of docs<OrderDoc>(stored, 'workLog')) {
    count(workorderid);
    for (const { note = '', gaps = [] } of events)
      count([note, ...gaps.map(({ reason }) => reason ?? '')].join(' '));
  }
  for (const { title, note, decisions } of docs<DeviationDoc>(stored, 'deviations'))
    count([title, note, ...decisions.map(({ reason }) => reason)].join(' '));
  for (const { workorderid, note } of docs<PlannedDoc>(stored, 'plannedOrders'))
    count(`${workorderid} ${note}`);
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
export function markedAgain({ ledger, stored, seen }: Scene): Violation[] {
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
