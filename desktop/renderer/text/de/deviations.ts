import type { Translation } from '#shared/text/message.ts';

import type { deviationText } from '../en/deviations.ts';

export const deviation: Translation<typeof deviationText> = {
  changes: {
    deviation: {
      name: 'Abweichung',
      awaited: 'Wartet auf die Abweichung',
      details: {
        report: 'gemeldet',
        'use-as-is': 'Sonderfreigabe',
        rework: 'Nacharbeit',
        scrap: 'Ausschuss',
        return: 'Rücksendung',
      },
    },
  },
  recordNames: { deviation: 'Abweichung' },
  title: 'Abweichungen',
  lead: 'Was in Aufträgen nicht so war, wie es sein sollte, und was entschieden wurde.',
  toDecide: 'Abweichungen zu entscheiden',
  open: 'Wartet auf Teamleitung',
  decided: 'Entschieden',
  none: 'Keine Abweichungen',
  noneHint:
    'Ein Wert außerhalb der Grenzen, eine nicht bestandene Prüfung oder eine Meldung aus einem Auftrag erscheint hier.',
  all: 'Alle Abweichungen',
  inOrder: 'Abweichungen',

  about: 'Abweichung: {label}',
  recorded: 'Melden Sie es: Eine Teamleitung entscheidet, und Sie können weitermachen.',
  failed: 'Prüfung nicht bestanden',
  failedHint:
    'Die Antwort ist erfasst. Melden Sie es: Eine Teamleitung entscheidet, und Sie können weitermachen.',
  report: 'Melden und weitermachen',
  stop: 'Anhalten, Teamleitung rufen',
  note: 'Was ist passiert?',
  noteHint: 'Alles, was bei der Entscheidung hilft.',
  addPhoto: 'Foto hinzufügen',
  photo: 'Foto {number}',
  removePhoto: 'Foto {number} entfernen',
  reported: 'Abweichung gemeldet',
  addToReport: 'Zur Meldung hinzufügen',
  stopped: 'Angehalten: {title}.',
  done: 'Abweichung gemeldet',

  measured: 'Gemessen: {value}',
  limits: {
    between: 'Grenzen {min} bis {max}',
    least: 'mindestens {min}',
    most: 'höchstens {max}',
  },
  answered: 'Antwort: {value}',
  by: 'Gemeldet von {name}, {since}',
  byYou: 'Von Ihnen gemeldet, {since}',

  decide: 'Entscheiden',
  decideAgain: 'Entscheidung ändern',
  decideTitle: 'Was geschieht mit „{title}“?',
  disposition: 'Entscheidung',
  dispositions: {
    'use-as-is': 'Sonderfreigabe',
    rework: 'Nacharbeit',
    scrap: 'Ausschuss',
    return: 'Rücksendung',
  },
  dispositionHints: {
    'use-as-is': 'Das Teil wird trotz der Abweichung freigegeben.',
    rework: 'Das Teil wird nachgearbeitet und erneut geprüft.',
    scrap: 'Das Teil wird nicht verwendet.',
    return: 'Das Teil geht an den Lieferanten zurück.',
  },
  reason: 'Grund',
  reasonHint: 'Wird Teil des Protokolls.',
  needDisposition: 'Wählen Sie, was geschieht',
  changedMeanwhile: 'Diese Abweichung hat sich geändert. Sehen Sie sie noch einmal an und wählen Sie dann.',
  needReason: 'Geben Sie den Grund an',
  save: 'Entscheidung speichern',
  decidedBy: '{what} · {name}, {since}',
  earlier: 'Frühere Entscheidungen',
};
