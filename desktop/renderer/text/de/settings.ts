import type { Translation } from '#shared/text/message.ts';

import type { settingsText } from '../en/settings.ts';

export const settings: Translation<typeof settingsText> = {
  title: 'Einstellungen',
  display: 'Anzeige',
  account: 'Konto',
  toAdministration: 'Verwaltung öffnen',
  signedInAs: 'Angemeldet als {name} auf {server}',
  journalFile:
    'Ihre Arbeit wird in eine Datei auf diesem Computer geschrieben, bevor sie als gespeichert gilt.',
  journalPrivate:
    'Ihre Arbeit wird in den privaten Speicher dieses Browsers geschrieben, bevor sie als gespeichert gilt. Bei voller Festplatte kann sie trotzdem verloren gehen: Die Desktop-App ist sicherer.',
  journalNone: 'Diese Seite kann Ihre Arbeit nicht aufbewahren: Auf diesem Gerät wird nichts gespeichert.',
  signOutTitle: 'Abmelden?',
  signOutRemove: 'Meine Bibliothek von diesem Gerät entfernen',
  signOutRemoveHint:
    'Ihre Anleitungen, Bilder, Ihr Verlauf und nicht gesendete Änderungen werden von diesem Gerät entfernt. Was auf dem Server ist, bleibt dort, und die Bibliotheken anderer Personen bleiben auf diesem Gerät.',
  signOutRemoveWork:
    '{number, plural, one {# Änderung ist nur auf diesem Gerät. Wenn Sie die Bibliothek entfernen, wird sie endgültig gelöscht.} other {# Änderungen sind nur auf diesem Gerät. Wenn Sie die Bibliothek entfernen, werden sie endgültig gelöscht.}}',
  signOutExport:
    'Um Ihre Arbeit zu behalten, exportieren Sie sie zuerst in eine Datei. Die Datei können Sie auf jedem Gerät importieren.',
  signOutAndRemove: 'Abmelden und entfernen',
  signOutConfirmWork: 'Auch meine nicht gesendeten Änderungen löschen',
  signOutWaiting:
    '{number, plural, one {# Änderung ist nur auf diesem Gerät. Sie bleibt hier und wird} other {# Änderungen sind nur auf diesem Gerät. Sie bleiben hier und werden}} gesendet, wenn Sie sich auf diesem Gerät wieder anmelden.',
  signOutAttention:
    '{number, plural, one {# Änderung braucht zuerst Ihre Entscheidung oder Aufmerksamkeit und kann} other {# Änderungen brauchen zuerst Ihre Entscheidung oder Aufmerksamkeit und können}} nicht automatisch gesendet werden.',
  lookFirst: 'Im Abgleich zeigen',
  stay: 'Angemeldet bleiben',
  signOutHint:
    'Was noch nicht auf dem Server ist, bleibt bis zu Ihrer nächsten Anmeldung auf diesem Gerät – außer wenn Sie beim Abmelden Ihre Bibliothek entfernen.',
};
