import type { Translation } from '#shared/text/message.ts';

import type { administrationText } from '../en/administration.ts';

export const administration: Translation<typeof administrationText> = {
  sectionsLabel: 'Bereiche der Verwaltung',
  sections: {
    administration: 'Überblick',
    accounts: 'Personen',
    teamsOfSite: 'Teams',
    sessionsOfSite: 'Sitzungen und Geräte',
    stations: 'Stationen',
    site: 'Plattform',
    signInSettings: 'Anmeldung',
    approvalProcesses: 'Genehmigungen',
    mail: 'E-Mail',
    webhooks: 'Webhooks',
    apps: 'Apps',
    backups: 'Sicherungen',
    jobs: 'Hintergrundaufgaben',
    audit: 'Änderungsprotokoll',
  },
  forAdministrators: 'Nur für Administratoren',
  forAdministratorsHint:
    'Wenden Sie sich an einen Administrator dieser Plattform, wenn hier etwas geändert werden muss.',
  notSaved: '{number, plural, one {# Änderung} other {# Änderungen}} nicht gespeichert',
  save: 'Speichern',
  discard: 'Verwerfen',
  leaveTitle: 'Seite verlassen, ohne zu speichern?',
  leaveBody:
    '{number, plural, one {Ihre Änderung auf dieser Seite geht verloren.} other {Ihre # Änderungen auf dieser Seite gehen verloren.}}',
  leave: 'Ohne Speichern verlassen',
  stay: 'Hier bleiben',
  lastBackup: 'Letzte Sicherung',
  noBackup: 'Noch keine',
  tested: 'Wiederherstellung getestet',
  notTested: 'Wiederherstellung nicht getestet',
  testFailed: 'Wiederherstellungstest fehlgeschlagen',
  backupFailed: 'Der letzte Versuch ist fehlgeschlagen.',
  devices: 'Geräte',
  connected: '{number, number} jetzt verbunden',
  behind: '{number, number} nicht auf dem neuesten Stand',
  waiting: '{number, plural, one {# Gerät hat} other {# Geräte haben}} nicht gesendete Änderungen',
};
