import type { Translation } from '#shared/text/message.ts';

import type { appText, difficultyNames, lossText, statusText, unitText } from '../en/app.ts';

export const app: Translation<typeof appText> = {
  supportDetails: 'Angaben für den Support',
  acting: 'Als andere Person handeln',
  actingAs: 'Sie handeln als {name}.',
  actingHint:
    'Alles, was Sie tun, wird unter {administrator} aufgezeichnet. Diese Sitzung endet nach einer Stunde.',
  stopActing: 'Beenden',
  name: 'Benchbook',
  title: '{page} · Benchbook',
  skip: 'Zum Inhalt springen',
  mainNavigation: 'Hauptmenü',
  library: 'Bibliothek',
  pages: 'Seiten',
  people: 'Personen',
  archives: 'Archive',
  training: 'Schulungen',
  approvals: 'Genehmigungen',
  feedback: 'Rückmeldungen',
  feedbackWith: 'Rückmeldungen, {number, plural, one {{number} wartet} other {{number} warten}} auf Sie',
  approvalsWith: 'Genehmigungen, {number, plural, one {{number} wartet} other {{number} warten}} auf Sie',
  workOrders: 'Aufträge',
  administration: 'Verwaltung',
  sync: 'Abgleich',
  understood: 'OK',
  archivesWith: 'Archive, {news, plural, one {# Neuigkeit} other {# Neuigkeiten}}',
  syncWith: 'Abgleich, {waiting, plural, one {# Eintrag ist} other {# Einträge sind}} zu klären',
  search: 'Anleitungen, Teile, Werkzeuge, Schritte suchen',
  goTo: 'Gehe zu',
  clearSearch: 'Suche leeren',
  menu: 'Menü',
  accountOf: '{name}: Konto und Anzeige',
  density: 'Größe der Bedienelemente',
  densities: { desktop: 'Desktop', touch: 'Touch', kiosk: 'Kiosk' },
  theme: 'Farbschema',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel', bright: 'Helle Umgebung' },
  language: 'Sprache',
  languages: { system: 'System', en: 'English', de: 'Deutsch' },
  settings: 'Einstellungen',
  profile: 'Mein Profil',
  signOut: 'Abmelden',
  signInAgain: 'Erneut anmelden',
  loading: 'Wird geladen',
  loadingLate:
    'Das dauert länger als sonst. Wenn nichts erscheint, prüfen Sie, ob auf dem Datenträger Platz frei ist, und öffnen Sie die App erneut. Ihre gespeicherte Arbeit bleibt erhalten.',
  restoring: 'Benchbook wird gestartet',
  close: 'Schließen',
  showAll: 'Alle {number} anzeigen',
  cancel: 'Abbrechen',
  back: 'Zurück',
  save: 'Speichern',
  tryAgain: 'Erneut versuchen',
  crashed: 'Diese Ansicht lässt sich nicht anzeigen',
  crashedHint: 'Alles, was Sie getan haben, ist weiterhin auf diesem Gerät gespeichert.',
  startFailed: 'Die Daten auf diesem Gerät lassen sich nicht öffnen',
  startFailedHint: 'Alles, was auf diesem Gerät gespeichert ist, ist noch da.',
  notFound: 'Seite nicht gefunden',
  notFoundHint: 'Die Adresse ist vielleicht veraltet oder enthält einen Tippfehler.',
  toLibrary: 'Zur Bibliothek',
  guideLeft: 'Sie können diese Anleitung nicht mehr sehen',
  guideLeftHint: 'Vielleicht ist sie jetzt privat oder wurde gelöscht.',
  guideLeftKept: 'Was Sie geschrieben haben, finden Sie unter „Abgleich“.',
  savedOnDevice: 'Auf diesem Gerät gespeichert',
  onTheServer: 'Auf dem Server',
  saving: 'Wird gespeichert',
};

export const loss: Translation<typeof lossText> = {
  seen: 'OK',
  journal: {
    title: 'Die Aufzeichnung Ihrer Arbeit auf diesem Gerät wurde gelöscht',
    hint: 'Änderungen und Entwürfe, die noch nicht auf dem Server waren, wurden aus einer zweiten Kopie wiederhergestellt. Fotos und Dateien, die noch hochzuladen waren, sind möglicherweise verloren: Unter „Abgleich“ sind sie aufgeführt.',
    signedOut:
      'Der Browser oder jemand, der dessen Daten gelöscht hat, hat sie entfernt. Melden Sie sich an, um Änderungen und Entwürfe, die noch nicht auf dem Server waren, aus einer zweiten Kopie wiederherzustellen.',
  },
  damage: {
    title: 'Ein Teil dessen, was auf diesem Gerät gespeichert war, ist nicht lesbar',
    between: 'Gespeichert wurde es zwischen {since} und {until}.',
    since: 'Gespeichert wurde es nach {moment}.',
    until: 'Gespeichert wurde es vor {moment}.',
    restored:
      'Änderungen und Entwürfe, die noch nicht auf dem Server waren, wurden aus einer zweiten Kopie wiederhergestellt.',
    gone: 'Auch die zweite Kopie auf diesem Gerät fehlt. Änderungen, die noch nicht auf dem Server waren, können daher fehlen. Prüfen Sie Ihre Arbeit aus dieser Zeit.',
    about: 'Es fehlen Änderungen an: {subjects}.',
    exporting: 'Für den Support exportieren',
  },
  databases: {
    title: 'Die Anleitungen auf diesem Gerät wurden gelöscht',
    hint: 'Die Anleitungen werden erneut vom Server heruntergeladen. Änderungen und Entwürfe, die noch nicht dort waren, wurden aus der Aufzeichnung Ihrer Arbeit wiederhergestellt.',
    signedOut:
      'Melden Sie sich an, um sie erneut vom Server herunterzuladen. Änderungen und Entwürfe, die noch nicht dort waren, werden dann aus der Aufzeichnung Ihrer Arbeit wiederhergestellt.',
  },
};

export const unit: Translation<typeof unitText> = {
  minutes: '{value} min',
  hours: '{value} h',
  days: '{value, plural, one {1 Tag} other {{value} Tage}}',
  counts: {
    minute: '{count, plural, one {# Minute} other {# Minuten}}',
    hour: '{count, plural, one {# Stunde} other {# Stunden}}',
    day: '{count, plural, one {# Tag} other {# Tage}}',
    week: '{count, plural, one {# Woche} other {# Wochen}}',
  },
  noEstimate: 'Keine Angabe',
  justNow: 'gerade eben',
};

export const difficulty: Translation<typeof difficultyNames> = {
  label: 'Schwierigkeit: {name}',
  names: {
    'Very easy': 'Sehr leicht',
    Easy: 'Leicht',
    Moderate: 'Mittel',
    Difficult: 'Schwer',
    'Very difficult': 'Sehr schwer',
  },
};

const changes = '{pending, plural, one {# Änderung} other {# Änderungen}}';
const savedHere = `${changes} auf diesem Gerät gespeichert`;

export const status: Translation<typeof statusText> = {
  label: 'Stand des Abgleichs',
  offline: 'Offline · {words}',
  savedHere,
  synced: 'Abgeglichen {since}',
  elsewhere:
    '{own} · {number, plural, one {# Änderung wartet} other {# Änderungen warten}} {server, select, null {an anderer Stelle} other {auf {server}}}',
  lastSynced: 'abgeglichen {since}',
  neverSynced: 'Noch nicht abgeglichen',
  nothingSynced: 'noch nichts abgeglichen',
  syncing: 'Abgleich läuft',
  sending: `Abgleich läuft · ${savedHere}`,
  waiting: `Online · ${savedHere}`,
  firstSync: 'Erster Abgleich',
  blocked: 'Etwas blockiert die Verbindung zum Server',
  blockedWith: `Verbindung zum Server blockiert · ${savedHere}`,
  asked: 'Der Server bittet dieses Gerät, bis {time} zu warten',
  askedWith: `Der Server bittet dieses Gerät, bis {time} zu warten · ${savedHere}`,
  firstSyncOf: 'Erster Abgleich · {received} von {total}',
  decisions: '{number, plural, one {# Entscheidung steht an} other {# Entscheidungen stehen an}}',
  parked: '{number, plural, one {# Änderung ist zu klären} other {# Änderungen sind zu klären}}',
  signIn: 'Zum Abgleichen anmelden',
  tooOld: {
    app: 'Aktualisieren Sie die App, um weiter abzugleichen. Ihre Arbeit bleibt erhalten.',
    server:
      'Der Server ist älter als diese App. Bitten Sie Ihren Administrator, ihn zu aktualisieren. Ihre Arbeit bleibt erhalten.',
  },
  signInToSend: `Anmelden, um ${changes} zu senden`,
};
