import type { Bullet } from '#shared/model/guide.ts';
import type { TimeCount } from '#shared/rules/guide-record.ts';

import type { PageWords } from './words.ts';

/** The German names of bullets, on printed pages and in the app. */
export const germanBullets: Readonly<Record<Bullet, string>> = {
  black: 'Schwarz',
  red: 'Rot',
  orange: 'Orange',
  yellow: 'Gelb',
  green: 'Grün',
  light_blue: 'Hellblau',
  blue: 'Blau',
  violet: 'Violett',
  icon_note: 'Hinweis',
  icon_caution: 'Vorsicht',
  icon_reminder: 'Erinnerung',
};

const timeUnits: Readonly<Record<TimeCount['unit'], readonly [one: string, more: string]>> = {
  week: ['Woche', 'Wochen'],
  day: ['Tag', 'Tage'],
  hour: ['Stunde', 'Stunden'],
  minute: ['Minute', 'Minuten'],
};

function timeOf({ count, unit }: TimeCount): string {
  return `${count} ${timeUnits[unit][count === 1 ? 0 : 1]}`;
}

export const germanWords: PageWords = {
  step: (number, count) => `Schritt ${number} von ${count}`,
  tools: 'Werkzeuge',
  parts: 'Teile',
  optional: 'optional',
  documents: 'Dokumente',
  prerequisites: 'Zuerst erledigen',
  quiz: 'Test',
  form: 'Aufzuzeichnen',
  fieldTypes: {
    'Text Input': 'Text',
    'Text Area': 'Längerer Text',
    'Numeric Input': 'Zahl',
    Checkbox: 'Ja oder nein',
    Radios: 'Eines davon',
    Select: 'Eines davon',
    Image: 'Bild',
    Video: 'Film',
    Document: 'Dokument',
  },
  required: 'erforderlich',
  // With all its digits, and not grouped (LANGUAGE-8).
  number: (value) => String(value).replace('.', ','),
  target: (target, tolerance) => (tolerance === null ? `Soll ${target}` : `Soll ${target} ± ${tolerance}`),
  computed: (expression) => `berechnet: ${expression}`,
  scanned: 'wird gescannt',
  secondPerson: 'eine andere Person bestätigt diesen Schritt',
  photos: (most) => (most === 1 ? 'höchstens 1 Foto' : `höchstens ${most} Fotos`),
  reasonWhenFailed: 'mit Begründung, wenn nicht bestanden',
  atLeast: (limit) => `mindestens ${limit}`,
  atMost: (limit) => `höchstens ${limit}`,
  decimals: (count) =>
    count === 0
      ? 'ganze Zahl'
      : count === 1
        ? 'höchstens 1 Nachkommastelle'
        : `höchstens ${count} Nachkommastellen`,
  cautions: 'Vorsicht',
  conclusion: 'Abschluss',
  signatures: 'Unterschriften',
  purposes: { publish: 'Veröffentlichung', release: 'Freigabe' },
  meanings: { approved: 'Genehmigt', reviewed: 'Geprüft', rejected: 'Abgelehnt' },
  notApproved: 'Diese Version ist nicht genehmigt.',
  guides: 'Anleitungen',
  film: 'Film',
  author: 'Verfasst von',
  difficulty: 'Schwierigkeit',
  difficulties: {
    'Very easy': 'Sehr leicht',
    Easy: 'Leicht',
    Moderate: 'Mittel',
    Difficult: 'Schwer',
    'Very difficult': 'Sehr schwer',
  },
  time: 'Zeit',
  timeRequired: (from, to) => {
    if (from === null) return timeOf(to);
    return from.unit === to.unit ? `${from.count}–${timeOf(to)}` : `${timeOf(from)} – ${timeOf(to)}`;
  },
  steps: 'Schritte',
  revision: 'Revision',
  changed: 'Geändert',
  printed: 'Gespeichert',
  scan: 'Scannen, um die neueste Version zu öffnen',
  noCode: 'Kein Code zum Scannen: Diese Plattform hat keine Adresse, die andere Geräte erreichen.',
  pictureMissing: 'Dieses Bild war nicht verfügbar.',
  bullets: germanBullets,
};
