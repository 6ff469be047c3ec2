import { devices } from './plan.ts';
import type { Outcome, Word } from './run-plan.ts';

export interface Violation {
  rule:
    | 'SIM-RESTORE-1'
    | 'SIM-RESTORE-2'
    | 'SIM-RESTORE-3'
    | 'SIM-RESTORE-4'
    | 'SIM-RESTORE-5'
    | 'SIM-RESTORE-7';
  what: string;
}

/** The rules that an outcome breaks (README.md). */
export function violationsOf(outcome: Outcome): Violation[] {
  return [
    ...lostWords(outcome),
    ...hiddenDecisions(outcome),
    ...doubled(outcome),
    ...swapped(outcome),
    ...overwritten(outcome),
    ...unequal(outcome),
  ];
}

function holds(text: string, word: string): boolean {
  return new RegExp(`\\b${word}\\b`).test(text);
}

/** SIM-RESTORE-1: every word is on the server, or its author's devices keep it where a person finds it. */
function lostWords({ words, kept, stored, decided }: Outcome): Violation[] {
  // A file that no guide uses any more is not where its author put it.
  const shown = stored.documents.filter(({ collection }) => collection !== 'media');
  const there = [...shown.map(({ body }) => body), ...stored.past, ...decided];
  return words.flatMap(({ text, person, kind, on }) => {
    const own = devices
      .filter((name) => name.startsWith(person))
      .flatMap((name) => [...kept[name].texts, ...kept[name].decisions]);
    const isKept = [...there, ...own].some((one) => holds(one, text));
    return isKept ? [] : [{ rule: 'SIM-RESTORE-1', what: `${text} (${kind} on ${on}) is nowhere` }];
  });
}

/** SIM-RESTORE-2: an announced decision can be made. */
function hiddenDecisions({ kept }: Outcome): Violation[] {
  return devices.flatMap((name): Violation[] =>
    kept[name].hidden.map((id) => ({
      rule: 'SIM-RESTORE-2',
      what: `${name} shows nothing to decide about ${id}`,
    })),
  );
}

interface Doc {
  title?: string;
  summary?: string;
  introduction_raw?: string;
  conclusion_raw?: string;
  steps?: { title: string; lines: { text_raw: string }[] }[];
  text_raw?: string;
  guideid?: number | null;
  workorderid?: string;
  contents_raw?: string;
  documents?: { text: string }[];
}

function docsOf({ stored }: Outcome, collection: string): { id: string; doc: Doc }[] {
  return stored.documents
    .filter((row) => row.collection === collection)
    .map(({ id, body }) => ({ id, doc: JSON.parse(body) as Doc }));
}

function guideText({
  title,
  summary,
  introduction_raw,
  conclusion_raw,
  steps = [],
  documents = [],
}: Doc): string {
  const lines = steps.flatMap((step) => [step.title, ...step.lines.map(({ text_raw }) => text_raw)]);
  const files = documents.map(({ text }) => text);
  return [title, summary, introduction_raw, conclusion_raw, ...lines, ...files].join('\n');
}

/** SIM-RESTORE-3: nothing exists twice. */
function doubled(outcome: Outcome): Violation[] {
  const texts = [
    ...docsOf(outcome, 'guides').map(({ doc }) => guideText(doc)),
    ...docsOf(outcome, 'wikis').map(({ doc }) => doc.contents_raw ?? ''),
    ...docsOf(outcome, 'comments').map(({ doc }) => doc.text_raw ?? ''),
    ...docsOf(outcome, 'workLog').map(({ doc }) => doc.workorderid ?? ''),
  ];
  return outcome.words.flatMap(({ text, kind }): Violation[] => {
    if (kind === 'step') return [];
    const count = texts.join('\n').split(new RegExp(`\\b${text}\\b`)).length - 1;
    return count > 1 ? [{ rule: 'SIM-RESTORE-3', what: `${text} (${kind}) is there ${count} times` }] : [];
  });
}

/** SIM-RESTORE-4: text written on one guide is never on another. */
function swapped(outcome: Outcome): Violation[] {
  const titles = new Map(docsOf(outcome, 'guides').map(({ id, doc }) => [Number(id), doc.title ?? '']));
  const places: { title: string; text: string }[] = [
    ...docsOf(outcome, 'guides').map(({ doc }) => ({ title: doc.title ?? '', text: guideText(doc) })),
    ...docsOf(outcome, 'wikis').map(({ doc }) => ({ title: doc.title ?? '', text: doc.contents_raw ?? '' })),
    ...docsOf(outcome, 'comments').map(({ doc }) => ({
      title: titles.get(doc.guideid ?? 0) ?? '',
      text: doc.text_raw ?? '',
    })),
    ...docsOf(outcome, 'workLog').map(({ doc }) => ({
      title: titles.get(doc.guideid ?? 0) ?? '',
      text: doc.workorderid ?? '',
    })),
  ];
  return outcome.words.flatMap((word: Word): Violation[] =>
    places
      .filter(({ title, text }) => holds(text, word.text) && title !== word.on)
      .map(({ title }) => ({
        rule: 'SIM-RESTORE-4',
        what: `${word.text}, written on ${word.on}, is on ${title}`,
      })),
  );
}

/** SIM-RESTORE-7: Carl's last text in a summary is there, or a decision shows or showed it. */
function overwritten(outcome: Outcome): Violation[] {
  const texts = new Map(docsOf(outcome, 'guides').map(({ doc }) => [doc.title, guideText(doc)]));
  const decisions = [...outcome.decided, ...devices.flatMap((name) => outcome.kept[name].decisions)];
  return outcome.words.flatMap(({ text, kind, on }, index): Violation[] => {
    if (kind !== 'carl replace' && kind !== 'carl append') return [];
    const later = outcome.words.slice(index + 1).filter((one) => one.on === on);
    const isReplaced = later.some(
      (one) => one.kind === 'carl replace' || (one.kind === 'replace' && one.place.includes(' summary ')),
    );
    const shown = texts.get(on);
    if (isReplaced || shown === undefined || [shown, ...decisions].some((one) => holds(one, text))) return [];
    return [{ rule: 'SIM-RESTORE-7', what: `${text} (${kind} on ${on}) was overwritten without a word` }];
  });
}

/** SIM-RESTORE-5: devices without waiting work show the state of the server. */
function unequal(outcome: Outcome): Violation[] {
  const stored = docsOf(outcome, 'guides');
  return devices.flatMap((name): Violation[] => {
    const { guides, texts, decisions } = outcome.kept[name];
    return stored.flatMap(({ doc }): Violation[] => {
      const shown = guides[doc.title ?? ''];
      const words = outcome.words.filter(({ text }) => holds(guideText(doc), text));
      if (shown === undefined) return [];
      const missing = words.filter(
        ({ text }) =>
          !holds(shown, text) &&
          ![...texts, ...decisions].some((one) => holds(one, doc.title ?? '') || holds(one, text)),
      );
      return missing
        .filter(({ kind }) => kind !== 'unsaved')
        .map(({ text }) => ({
          rule: 'SIM-RESTORE-5',
          what: `${name} does not show ${text} of ${doc.title}`,
        }));
    });
  });
}
