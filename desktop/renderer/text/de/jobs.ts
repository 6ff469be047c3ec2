import type { Translation } from '#shared/text/message.ts';

import type { jobsText } from '../en/jobs.ts';

export const jobs: Translation<typeof jobsText> = {
  title: 'Hintergrundaufgaben',
  lead: 'Was der Server im Hintergrund erledigt, Neuestes zuerst.',
  failed: 'Die Hintergrundaufgaben konnten nicht geladen werden',
  none: 'Noch keine Hintergrundaufgaben',
  noneHint: 'Exporte, Importe und andere lange Arbeiten stehen hier.',
  refresh: 'Aktualisieren',
  kinds: {
    archive: 'Archiv erstellen',
    'omanual-make': 'Archiv erstellen',
    'omanual-import': 'Archiv importieren',
    'training-import': 'Schulungsmodul importieren',
  },
  states: {
    waiting: 'Wartet',
    running: 'Läuft',
    done: 'Erledigt',
    failed: 'Fehlgeschlagen',
    cancelled: 'Abgebrochen',
  },
  began: 'Begonnen: {when}',
  ended: 'Beendet: {when}',
  progress: '{done} von {of}',
  server: 'Der Server',
  by: 'für {name}',

  makeBackup: 'Jetzt sichern',
  backupBegun: 'Die Sicherung hat begonnen. Das kann eine Weile dauern.',
  backupRuns: 'Eine Sicherung läuft',
  backupNext: 'Nächste Sicherung: {when}',
  backupFolder: 'Im Ordner {folder} des Servers',

  testMail: 'Test-E-Mail an mich senden',
  testMailLead:
    'Sendet eine E-Mail mit den gespeicherten Einstellungen an Ihre Adresse und wartet auf den Mailserver.',
  testMailSent: 'Der Mailserver hat die Test-E-Mail angenommen. Prüfen Sie Ihr Postfach.',
  testMailFailed: 'Die Test-E-Mail wurde nicht gesendet',
  queue:
    'E-Mails werden sofort an den Mailserver übergeben und nie hier gespeichert, weil die Links darin geheim sind. Schlägt eine E-Mail fehl, wird sie nicht wiederholt: Die Person fordert sie erneut an.',

  deliveries: 'Zustellungen',
  showDeliveries: 'Zustellungen zeigen',
  deliveriesFailed: 'Die Zustellungen konnten nicht geladen werden',
  noDeliveries: 'Noch nichts gesendet',
  deliveryStates: { waiting: 'Wartet', delivered: 'Zugestellt', dead: 'Fehlgeschlagen' },
  attempts: '{number, plural, one {# Versuch} other {# Versuche}}',
  nextTry: 'nächster Versuch {when}',
  retry: 'Erneut senden',
  retryOf: 'Erneut senden: {what}',
  retried: 'Wird erneut gesendet',
  answers: {
    none: 'keine Antwort',
    ok: 'angenommen',
    redirect: 'an eine andere Adresse umgeleitet, der nicht gefolgt wird',
    badRequest: 'der Empfänger hat es nicht verstanden',
    forbidden: 'der Empfänger hat es abgelehnt: Prüfen Sie seine Zugriffseinstellungen',
    notFound: 'unter dieser Adresse ist nichts',
    tooMany: 'der Empfänger ist ausgelastet und bat um weniger Aufrufe',
    client: 'der Empfänger hat es abgelehnt',
    server: 'beim Empfänger ist ein Fehler aufgetreten',
  },
  unreachable: 'die Adresse ist nicht erreichbar',
  timedOut: 'der Empfänger brauchte zu lange',
  insecure: 'das Zertifikat des Empfängers ist nicht gültig',
};
