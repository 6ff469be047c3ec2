import type { Translation } from '#shared/text/message.ts';

import type { tracingText } from '../en/tracing.ts';

export const tracing: Translation<typeof tracingText> = {
  title: 'Rückverfolgung',
  open: 'Nummer rückverfolgen',
  lead: 'Alles, was mit einem Produkt, einem Teil oder einer Charge geschah: Aufträge, Werte, Abweichungen, Fotos und Revisionen.',
  leadOwn:
    'Alles, was Sie zu einem Produkt, einem Teil oder einer Charge erfasst haben. Teamleitungen finden auch die Arbeit ihrer Teams.',
  number: 'Serien- oder Chargennummer',
  numberHint: 'Scannen oder die ersten Zeichen eintippen',
  suggestions: 'Vorschläge anzeigen',
  noSuggestions: 'Keine Nummer beginnt so',
  find: 'Rückverfolgen',
  findNamed: '„{number}“ in Aufträgen rückverfolgen',
  traceNumber: '{number} rückverfolgen',
  loading: 'Aufträge werden gesucht',
  camera: 'Mit der Kamera scannen',

  about: 'Bearbeitet',
  alsoAbout: 'Auch bearbeitet',
  part: 'Erfasst in',
  ofRevision: 'Nach dieser Revision bearbeitet',
  summary:
    '{about, plural, =0 {} one {In # Auftrag bearbeitet} other {In # Aufträgen bearbeitet}}{about, plural, =0 {} other {{part, plural, =0 {} other { · }}}}{part, plural, =0 {} one {In # Auftrag erfasst} other {In # Aufträgen erfasst}}',
  nothing: 'Kein Auftrag mit „{number}“',
  nothingHint:
    'Sie sehen Ihre eigenen Aufträge; Teamleitungen sehen auch die ihrer Teams. Prüfen Sie die Nummer: Leerzeichen darin zählen.',
  nothingRevision: 'Kein Auftrag wurde nach dieser Revision bearbeitet',
  nothingRevisionHint: 'Sie sehen Ihre eigenen Aufträge; Teamleitungen sehen auch die ihrer Teams.',

  offline: 'Sie sind offline',
  failed: 'Der Server konnte nicht abgefragt werden',
  onlyHere: 'Sie sehen nur, was auf diesem Gerät ist. Auf dem Server kann es weitere Aufträge geben.',
  again: 'Erneut versuchen',
  waiting: 'Noch nicht auf dem Server',

  more: '{shown} von {total} Aufträgen werden angezeigt',
  showMore: 'Mehr anzeigen',
  exportCsv: 'Als CSV exportieren',
  exportShown: '{shown} von {total} als CSV exportieren',

  numbers: 'Serien- oder Chargennummern',
  revision: 'Revision {number}',
  people: 'Von {names}',
  period: '{from} – {until}',
  since: 'Seit {from}',
  allValues: 'Alle {number} Werte anzeigen',
  fewerValues: 'Weniger Werte anzeigen',
  deviations: '{number, plural, one {# Abweichung} other {# Abweichungen}}',
  photo: '{label}, Foto {number}',
  missing: 'Fehlt',

  csv: {
    order: 'Auftrag',
    entry: 'Auftrags-ID',
    guide: 'Anleitung',
    revision: 'Revision',
    status: 'Status',
    kind: 'Art',
    name: 'Name',
    value: 'Wert',
    unit: 'Einheit',
    min: 'Untere Grenze',
    max: 'Obere Grenze',
    deviates: 'Abweichung',
    person: 'Person',
    time: 'Zeit (UTC)',
    note: 'Notiz',
    serial: 'Serien- oder Chargennummer',
    photo: 'Foto',
    yes: 'ja',
  },
};
