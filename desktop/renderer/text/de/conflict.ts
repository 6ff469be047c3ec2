import type { Translation } from '#shared/text/message.ts';

import type { conflictText } from '../en/sync.ts';

export const conflict: Translation<typeof conflictText> = {
  title: 'Entscheiden: {title}',
  heading: '{number, plural, one {# Entscheidung} other {# Entscheidungen}} für Sie',
  lead: (name) =>
    `Sie und ${name || 'jemand anderes'} haben dieselben Stellen geändert. Wählen Sie für jede eine Version.`,
  allMine: 'Alle meine wählen',
  allTheirs: (name) => (name === '' ? 'Alle anderen wählen' : `Alle von ${name} wählen`),
  groupMine: 'Hier meine wählen',
  groupTheirs: (name) => (name === '' ? 'Hier andere wählen' : `Hier die von ${name} wählen`),
  guideItself: 'Zu dieser Anleitung',
  pageItself: 'Diese Seite',
  stepName: (step, title) => (title === '' ? `Schritt ${step}` : `Schritt ${step} · ${title}`),
  pictureOf: 'Bild von {step}',
  progress: (decided, total) => (decided === total ? 'Entschieden' : `${decided} von ${total} entschieden`),
  left: (left, total) =>
    left === total
      ? `Wählen Sie ${total === 1 ? 'dafür' : `für jede der ${total}`} eine Version und speichern Sie dann.`
      : `Noch ${left} von ${total}: Wählen Sie ${left === 1 ? 'dafür' : 'für jede'} eine Version und speichern Sie dann.`,
  complete:
    '{total, plural, one {Das ist entschieden. Sie können jetzt speichern.} other {Alle {total} sind entschieden. Sie können jetzt speichern.}}',
  undo: 'Rückgängig',
  save: '{total, plural, one {Entscheidung speichern} other {{total} Entscheidungen speichern}}',
  reopen: 'Entscheidungen ändern',
  none: 'Nichts zu entscheiden',
  noneHint: 'Alles wurde automatisch zusammengeführt.',
  decided: 'Alles entschieden',
  decidedHint: 'Ihre Wahl ist gespeichert.',
  decidedWaits: 'Ihre Wahl ist auf diesem Gerät gespeichert und wird automatisch gesendet.',
  decidedOpen:
    'Ihre Wahl ist auf diesem Gerät gespeichert und wird automatisch gesendet. Bis dahin können Sie sie ändern.',
  decidedSent: 'Ihre Wahl ist auf dem Server.',
  toGuide: 'Anleitung lesen',
  toPage: 'Seite lesen',
  toSync: 'Abgleich öffnen',
  list: 'Zu entscheiden',
  otherGuides: 'In anderen Anleitungen und Seiten',
  allSync: 'Alles im Abgleich anzeigen',
  places: {
    step: 'Schritt {step}',
    line: 'Schritt {step}, Zeile {line}',
    field: 'Schritt {step}, {field}',
    somewhere: 'Der ganze Text',
  },
  kinds: {
    words: 'Sie haben beide dieselben Wörter geändert.',
    value: 'Sie haben das beide geändert.',
    'deleted-by-them': (name) => `Sie haben es geändert, ${name || 'jemand anderes'} hat es gelöscht.`,
    'deleted-by-me': (name) => `Sie haben es gelöscht, ${name || 'jemand anderes'} hat es geändert.`,
  },
  restMerged: 'Alles andere wurde automatisch zusammengeführt.',
  merged: '{number, plural, one {# Änderung} other {# Änderungen}} automatisch zusammengeführt',
  mergeKinds: {
    changed: 'geändert',
    text: 'Text zusammengeführt',
    added: 'hinzugefügt',
    removed: 'entfernt',
    moved: 'verschoben',
    indented: 'eingerückt',
  },
  mine: 'Ihre Version · {when}',
  theirs: (name, when) => `Version von ${name || 'jemand anderem'} · ${when}`,
  deleted: 'Gelöscht',
  empty: 'Leer',
  result: 'Was gespeichert wird',
  resultFree: 'Was gespeichert wird · frei bearbeitbar',
  takeBoth: 'Beide behalten',
  write: 'Neu schreiben',
  before: 'Vor beiden Bearbeitungen: „{words}“',
  beforeNothing: 'Vor beiden Bearbeitungen stand hier nichts.',
  later: 'Später entscheiden',
};
