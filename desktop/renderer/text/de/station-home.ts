import type { Translation } from '#shared/text/message.ts';

import type { stationHomeText } from '../en/station-home.ts';

export const stationHome: Translation<typeof stationHomeText> = {
  title: 'Ihre Arbeit an {station}',
  home: 'Start',
  toHome: '{station}: Start',
  guides: 'Anleitungen',
  running: 'Laufend',
  paused: 'Pausiert',
  continueAt: '{step, select, null {Weiter} other {Weiter bei Schritt {step}}}',
  resumeAt: '{step, select, null {Fortsetzen} other {Bei Schritt {step} fortsetzen}}',
  others: 'Läuft hier außerdem',
  handedOver: 'Übergeben',
  guidesHere: 'Anleitungen für diese Station',
  nothing: 'Für Sie läuft hier nichts, und nichts ist geplant',
  nothingHint: 'Wählen Sie eine Anleitung oder starten Sie einen Auftrag über seine Nummer.',
  scan: 'Scannen Sie jederzeit die Nummer eines Auftrags oder einer Maschine.',
  allGuides: 'Alle Anleitungen',
  reportProblem: 'Abweichungen',
  myWork: 'Aufträge',
  locksIn: 'Sperrt sich in {seconds, number} s',
  stay: 'Zum Bleiben tippen',

  lock: 'Sperren',
  switch: 'Wechseln',
  switchPerson: 'Person wechseln',
  switchTitle: 'Wer arbeitet jetzt?',
  switchLead: '{ask}. Die Aufträge von {name} laufen weiter.',
  personMenu: '{name}: Abmelden und Anzeige',
  signOut: 'Abmelden',
  fullScreen: 'Vollbild',

  noLinks:
    'Das öffnet sich außerhalb von Benchbook, und das geht an einer Station nicht. Öffnen Sie es auf einem anderen Gerät.',
  noDocuments:
    'An einer Station lassen sich keine Dokumente öffnen. Öffnen Sie dieses auf einem anderen Gerät.',
  noSaving: 'Eine Station speichert keine Dateien. Speichern Sie diese auf einem anderen Gerät.',
  noPrint: 'Eine Station druckt nicht. Drucken Sie auf einem anderen Gerät.',

  keys: {
    label: 'Bildschirmtastatur',
    shift: 'Großbuchstaben',
    erase: 'Zeichen löschen',
    enter: 'Eingabe',
    line: 'Neue Zeile',
    space: 'Leertaste',
    hide: 'Tastatur ausblenden',
  },

  signOutTitle: 'Abmelden?',
  signOutFree:
    'Alles, was Sie aufgezeichnet haben, bleibt erhalten. Beim nächsten Mal beginnen Sie auf der Startseite.',
  signOutRunning:
    '{number, plural, one {# Auftrag von Ihnen läuft hier. Was geschieht damit?} other {# Aufträge von Ihnen laufen hier. Was geschieht damit?}}',
  ways: {
    pause: ['Pausieren', 'Die Zeit hält an. Der Auftrag wartet auf Sie.'],
    'hand-over': ['Übergeben', 'Die Zeit hält an. Andere können übernehmen und Ihre Notiz lesen.'],
    'keep-running': ['Laufen lassen', 'Die Zeit läuft weiter, während Sie weg sind.'],
  },
  what: 'Was geschieht mit Ihrem Auftrag?',
  note: 'Notiz für die Übernahme',
  needNote: 'Schreiben Sie, was getan ist und was als Nächstes kommt',
};
