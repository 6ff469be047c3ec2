import type { Bullet } from '#shared/model/guide.ts';

/** The sign of a bullet at the beginning of a line, and its name for those who cannot see it. */
export const signs: Readonly<Record<Bullet, { sign: string; name: string }>> = {
  black: { sign: '⚫', name: 'Black' },
  red: { sign: '🔴', name: 'Red' },
  orange: { sign: '🟠', name: 'Orange' },
  yellow: { sign: '🟡', name: 'Yellow' },
  green: { sign: '🟢', name: 'Green' },
  light_blue: { sign: '💧', name: 'Light blue' },
  blue: { sign: '🔵', name: 'Blue' },
  violet: { sign: '🟣', name: 'Violet' },
  icon_note: { sign: 'ℹ️', name: 'Note' },
  icon_caution: { sign: '⚠️', name: 'Caution' },
  icon_reminder: { sign: '📌', name: 'Reminder' },
};

const bySign = new Map(
  Object.entries(signs).map(([bullet, { sign }]) => [sign.replace('\ufe0f', ''), bullet as Bullet]),
);
const signAtStart = new RegExp(`^\\s*(${[...bySign.keys()].join('|')})\\ufe0f?\\s*`, 'u');

/** The bullet whose sign a text begins with, and the rest of the text; null without a sign. */
export function takeSign(text: string): { bullet: Bullet; rest: string } | null {
  const found = signAtStart.exec(text);
  const bullet = found === null ? undefined : bySign.get(found[1] ?? '');
  return found === null || bullet === undefined ? null : { bullet, rest: text.slice(found[0].length) };
}

/** A fact in the list under the title of a guide. */
export type FactName =
  | 'category'
  | 'subject'
  | 'type'
  | 'difficulty'
  | 'time'
  | 'author'
  | 'language'
  | 'tag'
  | 'created'
  | 'changed'
  | 'summary'
  | 'title';

/** The word of each fact that is written. Reading also knows the others. */
export const factWords: Readonly<Record<FactName, readonly [string, ...string[]]>> = {
  title: ['Title', 'Titel'],
  summary: ['Summary', 'Description', 'Zusammenfassung'],
  category: ['Category', 'Device', 'Topic', 'Kategorie', 'Gerät'],
  subject: ['Subject', 'Part', 'Bauteil', 'Gegenstand'],
  type: ['Type', 'Art', 'Typ'],
  difficulty: ['Difficulty', 'Schwierigkeit', 'Schwierigkeitsgrad'],
  time: ['Time', 'Time required', 'Duration', 'Dauer', 'Zeit'],
  author: ['Author', 'Autor', 'Autorin', 'By'],
  language: ['Language', 'Lang', 'Sprache'],
  tag: ['Tag', 'Schlagwort'],
  created: ['Created', 'Erstellt'],
  changed: ['Changed', 'Modified', 'Date', 'Geändert', 'Datum'],
};

/** The section of a page by its heading. */
export type SectionName =
  | 'introduction'
  | 'conclusion'
  | 'tools'
  | 'parts'
  | 'steps'
  | 'documents'
  | 'prerequisites';

export const sectionWords: Readonly<Record<SectionName, readonly [string, ...string[]]>> = {
  introduction: ['Introduction', 'Overview', 'Einleitung', 'Einführung', 'Überblick'],
  conclusion: ['Conclusion', 'Schluss', 'Abschluss', 'Fazit'],
  tools: ['Tools', 'Tools required', 'Werkzeug', 'Werkzeuge'],
  parts: [
    'Parts',
    'Materials',
    'Ingredients',
    'Bill of materials',
    'Teile',
    'Material',
    'Materialien',
    'Zutaten',
  ],
  steps: [
    'Steps',
    'Instructions',
    'Procedure',
    'Method',
    'Directions',
    'Schritte',
    'Anleitung',
    'Zubereitung',
  ],
  documents: ['Documents', 'Dokumente'],
  prerequisites: ['Prerequisites', 'Voraussetzungen'],
};

/** The word of each detail of a tool or part that is written. */
export const supplyWords = {
  type: ['Type', 'Art', 'Typ'],
  notes: ['Notes', 'Note', 'Notiz', 'Notizen'],
  optional: ['Optional'],
} as const;

/** The name whose words contain `text`, whatever its letter case. */
export function nameOf<N extends string>(
  words: Readonly<Record<N, readonly string[]>>,
  text: string,
): N | null {
  const plain = text.trim().toLowerCase();
  const names = Object.keys(words) as N[];
  return names.find((name) => words[name].some((word) => word.toLowerCase() === plain)) ?? null;
}

/** A heading of a step: `Step 3`, `Step 3: Open it`, `Schritt 3 – Öffnen`. `title`: what follows the number. */
export function stepHeading(text: string): { title: string } | null {
  const found = /^(?:step|schritt)\s+\d{1,9}(?:\s*[:.–—-]\s*|\s+|$)([^]*)$/i.exec(text.trim());
  return found === null ? null : { title: (found[1] ?? '').trim() };
}

const units: readonly (readonly [name: RegExp, seconds: number, written: string])[] = [
  [/^(?:h|hrs?|hours?|stunden?|std)$/i, 3600, 'h'],
  [/^(?:m|mins?|minutes?|minuten?)$/i, 60, 'min'],
  [/^(?:s|secs?|seconds?|sekunden?)$/i, 1, 's'],
  [/^(?:d|days?|tage?)$/i, 86_400, 'd'],
];

/** A duration such as `1 h 15 min`. */
export function durationText(seconds: number): string {
  let left = seconds;
  const parts = units.slice(0, 3).flatMap(([, size, word]) => {
    const count = Math.floor(left / size);
    left -= count * size;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return parts.length === 0 ? '0 s' : parts.join(' ');
}

/** The seconds of a duration in words; null if it has none. */
function secondsIn(text: string): number | null {
  let sum: number | null = null;
  for (const [, count = '', word = ''] of text.matchAll(/(\d{1,9}(?:[.,]\d{1,3})?)\s*(\p{L}+)/gu)) {
    const unit = units.find(([name]) => name.test(word));
    if (unit !== undefined) sum = (sum ?? 0) + Math.round(Number(count.replace(',', '.')) * unit[1]);
  }
  return sum;
}

/** The range of a duration such as `15 min – 30 min` or `2 hours`, in seconds; null if it cannot be read. */
export function timeRange(text: string): { least: number; most: number } | null {
  const [from = '', to] = text.split(/\s*(?:–|—|-|\bto\b|\bbis\b)\s*/i);
  const most = secondsIn(to ?? from);
  if (most === null) return null;
  if (to === undefined) return { least: 0, most };
  // `15 to 30 minutes`
  const least = secondsIn(from) ?? secondsIn(from.replace(/$/, to.replace(/^[\d.,\s]+/, ' ')));
  return { least: least ?? 0, most };
}
