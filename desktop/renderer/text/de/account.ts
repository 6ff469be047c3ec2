import type { Translation } from '#shared/text/message.ts';

import type { accountText } from '../en/account.ts';

export const account: Translation<typeof accountText> = {
  title: 'Anmeldung und Sicherheit',
  lead: 'Wie Sie sich anmelden und wo Sie angemeldet sind.',
  settings: 'Anmeldung und Sicherheit',
  password: 'Passwort',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens zehn Zeichen. Sie werden überall sonst abgemeldet.',
  savePassword: 'Passwort ändern',
  passwordSaved: 'Passwort geändert',
  mustSet: 'Wählen Sie Ihr eigenes Passwort',
  mustSetHint:
    'Ihr aktuelles Passwort hat jemand anderes festgelegt. Sie können weiterarbeiten, aber keine Genehmigungen unterschreiben, bis Sie ein eigenes wählen.',
  address: 'E-Mail-Adresse',
  addressLead:
    'Mit dieser Adresse melden Sie sich an, und Links zum Zurücksetzen des Passworts gehen an sie. Wenn Ihr Server E-Mails sendet, gilt eine neue Adresse, sobald Sie den Link öffnen, der an sie gesendet wird, und ein Passwort wählen. Die alte Adresse wird über die Änderung benachrichtigt.',
  newAddress: 'Neue E-Mail-Adresse',
  needAddress: 'Geben Sie eine E-Mail-Adresse ein',
  saveAddress: 'E-Mail-Adresse ändern',
  addressSaved: 'Neue E-Mail-Adresse an den Server gesendet',
  proofTitle: 'Identität bestätigen',
  proofLead: 'Bestätigen Sie vor dieser Änderung, dass Sie es sind.',
  proof: {
    password: 'Aktuelles Passwort',
    passwordHint: 'Bestätigt, dass Sie es sind. Es wird nicht gespeichert.',
    signOnHint: 'Öffnet die Anmeldeseite Ihrer Organisation. Kommen Sie zum Bestätigen hierher zurück.',
    signOnWaitingHint:
      'Schließen Sie die Anmeldung auf der geöffneten Seite ab. Ihre Eingaben hier bleiben erhalten.',
    signOnConfirmedHint:
      'Bestätigen Sie innerhalb von fünf Minuten. Diese Anmeldung gilt nur für diese Änderung.',
  },
  confirm: 'Bestätigen',
  needProof: 'Geben Sie Ihr aktuelles Passwort ein',
  signIns: 'Sitzungen',
  signInsLead:
    'Geräte und Apps, die mit diesem Konto angemeldet sind. Ungenutzte Sitzungen laufen nach 90 Tagen ab.',
  signInsFailed: 'Die Sitzungen konnten nicht geladen werden',
  noSignIns: 'Dieses Konto hat keine Sitzungen.',
  unknownDevice: 'Unbekanntes Gerät',
  actingHere: '{name}, handelt als diese Person',
  here: 'Dieses Gerät',
  lastUsed: 'Zuletzt genutzt: {date}',
  since: (day, address) => (address === '' ? `Seit ${day}` : `Seit ${day}, von ${address}`),
  act: 'Als {name} handeln',
  actTitle: 'Als {name} handeln?',
  actBody:
    'Sie sehen, was diese Person sieht, und können alles, was sie kann – außer Genehmigungen unterschreiben und ihre Anmeldung ändern. Alles, was Sie tun, wird unter Ihrem Namen aufgezeichnet. Die Sitzung endet nach einer Stunde oder wenn Sie sie beenden.',
  end: 'Abmelden',
  endOf: '{device} abmelden',
  ended: 'Abgemeldet',
  endOthers: 'Überall sonst abmelden',
  endAll: 'Überall abmelden',
  endOthersTitle: 'Überall sonst abmelden?',
  endAllTitle: 'Überall abmelden?',
  endOthersBody: 'Nicht gesendete Änderungen bleiben bis zur nächsten Anmeldung auf den jeweiligen Geräten.',
};
