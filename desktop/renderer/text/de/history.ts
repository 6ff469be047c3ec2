import type { Translation } from '#shared/text/message.ts';

import type { historyText } from '../en/history.ts';

export const history: Translation<typeof historyText> = {
  title: 'Verlauf',
  titleOf: 'Verlauf: {guide}',
  list: 'Revisionen',
  revision: '{number, select, null {Revision ohne Nummer} other {Revision {number}}}',
  by: (author, date) => (author === '' ? date : `${author} · ${date}`),
  present: 'Aktuell',
  approved: 'Genehmigt',
  released: 'Freigegeben als {title}',
  older: 'Ältere',
  newer: 'Neuere',
  heading: '{before} → {after}',
  toGuide: 'Anleitung lesen',
  restore: '{revision} wiederherstellen',
  restoreTitle: '{revision} wiederherstellen?',
  restoreBody:
    'Die Anleitung erhält diesen Text wieder, als neue Revision. Nichts geht verloren: Der jetzige Text bleibt im Verlauf. Kennzeichen und Anleitungen, die zuerst zu erledigen sind, bleiben, wie sie jetzt sind.',
  restored: 'Als neue Revision wiederhergestellt',
  waiting:
    'Ihre Änderungen an dieser Anleitung sind noch nicht auf dem Server. Sobald sie dort sind, können Sie eine Revision wiederherstellen oder freigeben.',
  release: 'Freigeben\u00a0…',
  releaseTitle: '{revision} freigeben',
  releaseBody:
    'Anleitungen und geplante Aufträge können sich auf eine Freigabe beziehen und zeigen dann immer diesen Text.',
  releaseName: 'Name',
  releaseNameHint: 'Lassen Sie das Feld leer, um die Nummerierung nach der letzten Freigabe fortzusetzen.',
  releaseNotes: 'Was ist neu?',
  releaseNow: 'Freigeben',
  savedMeanwhile: 'Jemand hat diese Anleitung inzwischen gespeichert',
  savedMeanwhileHint:
    'Sehen Sie sich die Änderungen an und geben Sie dann frei. Name und Neuerungen bleiben hier erhalten.',
  lookAgain: 'Änderungen anzeigen',
  releasedNow:
    'Freigegeben. Braucht die Anleitung eine Genehmigung, gilt die Freigabe, sobald alle unterschrieben haben.',
  only: 'Diese Anleitung hat bisher eine Revision',
  onlyHint:
    'Jedes Speichern erzeugt eine neue Revision. Hier können Sie Revisionen vergleichen und wiederherstellen.',
  missing: 'Kein Verlauf vorhanden',
  missingHint:
    'Diese Anleitung ist weder auf diesem Gerät noch auf dem Server, oder Sie dürfen sie nicht sehen.',
  offline: 'Nur Revisionen auf diesem Gerät lassen sich vergleichen',
  offlineHint:
    'Sie sind offline. {number, plural, one {Eine Revision ist} other {{number} Revisionen sind}} auf diesem Gerät, die anderen auf dem Server.',
  loading: 'Revision wird geladen\u00a0…',
  loadingList: 'Revisionen werden geladen\u00a0…',
  tryAgain: 'Erneut versuchen',
  changes: '{number, plural, one {# Schritt} other {# Schritte}} geändert',
  same: 'Wählen Sie zwei verschiedene Revisionen, um sie zu vergleichen.',

  before: 'Vorher',
  after: 'Jetzt',
  noChanges: 'Diese Versionen unterscheiden sich nicht.',
  step: (number, title) => (title === '' ? `Schritt ${number}` : `Schritt ${number} · ${title}`),
  added: 'hinzugefügt',
  removed: 'entfernt',
  changed: 'geändert',
  movedFrom: 'bisher an Stelle {number}',
  movedLine: '(verschoben)',
  otherMedia: 'Ein anderes Video oder ein Video statt Bildern.',
  pictures: {
    same: 'Dasselbe Bild',
    added: 'Bild hinzugefügt',
    removed: 'Bild entfernt',
    marked: 'Markierungen geändert',
  },
};
