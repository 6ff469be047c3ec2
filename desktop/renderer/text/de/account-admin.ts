import type { Translation } from '#shared/text/message.ts';

import type { accountAdminText, redeemText } from '../en/account-admin.ts';

export const accountAdmin: Translation<typeof accountAdminText> = {
  title: 'Personen',
  lead: '{people, plural, one {# Konto} other {# Konten}}{invited, plural, =0 {} other { · # noch nicht genutzt}}',
  failed: 'Die Konten konnten nicht geladen werden',
  find: 'Person, Rolle oder Team suchen',
  show: 'Zeigen',
  filters: { all: 'Alle', active: 'Aktiv', invited: 'Noch nicht angemeldet', closed: 'Deaktiviert' },
  table: 'Konten',
  columns: {
    name: 'Name',
    roles: 'Rollen',
    teams: 'Teams',
    seen: 'Zuletzt gesehen',
    state: 'Zustand',
  },
  noneFound: 'Niemand gefunden',
  noneFoundHint: 'Versuchen Sie es mit weniger Buchstaben oder zeigen Sie alle.',
  never: 'Nie',
  states: {
    active: 'Aktiv',
    waiting: 'Noch keine Anmeldung',
    invited: 'Eingeladen',
    refused: 'Einladung nicht zugestellt',
    closed: 'Deaktiviert',
  },
  roles: {
    User: 'Werker',
    Author: 'Autor',
    Moderator: 'Moderator',
    Admin: 'Administrator',
    Kiosk: 'Kiosk',
  },
  roleHints: {
    Author: 'Schreibt Anleitungen, Seiten, Formulare und Kurse',
    Moderator: 'Bearbeitet und entfernt auch, was andere geschrieben haben',
    Admin: 'Verwaltet Personen, Einstellungen und alles Übrige',
    Kiosk: 'Ein gemeinsames Konto: Es liest nur und zeichnet Arbeit auf',
  },

  add: 'Person hinzufügen',
  name: 'Name',
  needName: 'Geben Sie einen Namen ein',
  email: 'E-Mail-Adresse',
  emailHint: 'Damit meldet sich die Person an.',
  needEmail: 'Geben Sie eine E-Mail-Adresse ein',
  how: 'Wie wählt die Person ein Passwort?',
  by: { mail: 'Einladung per E-Mail', code: 'Gedruckter Code' },
  byMailHint: 'Eine E-Mail mit einem Link, der eine Woche lang gilt.',
  byCodeHint: 'Ein Blatt zum Aushändigen. Der Code gilt einmal und eine Woche lang.',
  create: 'Konto anlegen',
  created: 'Konto von {name} angelegt',
  mailed: 'Einladung gesendet',

  sheetTitle: 'Code für {name}',
  sheetLead: 'Geben Sie der Person dieses Blatt. Der Code wird nur jetzt gezeigt.',
  sheetSteps: (address) => [
    `Scannen Sie das Bild oder öffnen Sie ${address} und geben Sie den Code ein.`,
    'Wählen Sie ein Passwort mit mindestens zehn Zeichen.',
    'Melden Sie sich mit Ihrer E-Mail-Adresse und dem Passwort an.',
  ],
  sheetQr: 'QR-Code, der die Seite für diesen Code öffnet',
  until: 'Gilt einmal, bis {date}',
  print: 'Blatt drucken',
  hide: 'Fertig',

  gone: 'Dieses Konto gibt es nicht',
  goneHint: 'Vielleicht ist die Adresse falsch geschrieben.',
  back: 'Personen',
  profile: 'Profil',
  rolesAndTeams: 'Rollen und Teams',
  rolesTitle: 'Rollen',
  everyone: 'Alle können lesen, Arbeit aufzeichnen und kommentieren.',
  noTeams: 'Es gibt noch keine Teams. Legen Sie unter „Teams“ eines an.',
  saved: 'Konto gespeichert',
  notSaved:
    'Nicht gespeichert: Jemand anderes hat dieses Konto inzwischen geändert. Sehen Sie sich die Änderung an und speichern Sie erneut.',
  lastAdministrator:
    'Das ist der einzige Administrator. Machen Sie zuerst jemand anderen dazu, dann kann diese Rolle entzogen werden.',
  stepDownTitle: 'Ihre Rolle als Administrator abgeben?',
  stepDownBody:
    'Sie können dann keine Personen, Einstellungen und Stationen mehr verwalten. Nur ein anderer Administrator kann Ihnen die Rolle zurückgeben.',
  stepDown: 'Rolle abgeben',
  changedTitle: 'Jemand anderes hat dieses Konto inzwischen geändert',
  changedBody:
    'Jetzt: {roles}; {teams, select, null {kein Team} other {Teams: {teams}}}. Ihre eigenen Änderungen sind noch nicht gespeichert und bleiben hier stehen.',
  access: 'Zugang',
  accessLead: (invited) =>
    invited === ''
      ? 'Damit kann die Person ein neues Passwort wählen. Das alte gilt bis dahin.'
      : `Eingeladen. ${invited}.`,
  mailRefused: 'Der Mailserver hat die Einladung nicht angenommen',
  mailRefusedHint:
    'Er meldete: {reason}. Prüfen Sie die Adresse der Person und senden Sie erneut einen Link, oder drucken Sie einen Code.',
  sendMail: 'Link per E-Mail senden',
  printCode: 'Code drucken',
  noEmail: 'Dieses Konto hat keine E-Mail-Adresse. Darum ist nur ein gedruckter Code möglich.',
  mailTitle: '{name} einen Link senden?',
  mailBody:
    'Mit dem Link kann die Person ein Passwort wählen. Er gilt eine Woche lang. Frühere Links und Codes werden ungültig.',
  codeTitle: 'Code für {name} erstellen?',
  codeBody:
    'Wer den Code hat, kann das Passwort dieses Kontos wählen. Er gilt einmal und eine Woche lang. Frühere Links und Codes werden ungültig.',
  close: 'Konto deaktivieren',
  closeLead:
    'Eine deaktivierte Person kann sich nicht anmelden. Alles, was sie geschrieben und aufgezeichnet hat, bleibt.',
  closeTitle: 'Konto von {name} deaktivieren?',
  closeBody:
    '{sessions, plural, =0 {Die Person kann sich nicht mehr anmelden. Nichts, was sie geschrieben oder aufgezeichnet hat, geht verloren.} one {# Sitzung endet jetzt. Nicht gesendete Änderungen bleiben auf dem Gerät. Nichts, was die Person geschrieben oder aufgezeichnet hat, geht verloren.} other {# Sitzungen enden jetzt. Nicht gesendete Änderungen bleiben auf den Geräten. Nichts, was die Person geschrieben oder aufgezeichnet hat, geht verloren.}}',
  closed: '{name} ist deaktiviert',
  reopen: 'Konto reaktivieren',
  reopenTitle: 'Konto von {name} reaktivieren?',
  reopenBody: 'Die Person kann sich wieder mit ihrem bisherigen Passwort anmelden.',
  reopened: '{name} kann sich wieder anmelden',
  own: 'Das ist Ihr eigenes Konto. Ein anderer Administrator kann es deaktivieren.',

  sessionsTitle: 'Sitzungen und Geräte',
  sessionsLead: 'Angemeldete Geräte und Apps, zuletzt genutzte zuerst.',
  sessionsFailed: 'Die Sitzungen konnten nicht geladen werden',
  sessionsFound: '{number, plural, one {# Sitzung} other {# Sitzungen}}',
  mostSessions: 'Das sind die {number, number} zuletzt genutzten Sitzungen. Es gibt weitere.',
  moreSessions: 'Mehr zeigen',
  findSession: 'Person, Gerät oder Adresse suchen',
  sessionColumns: {
    person: 'Person',
    device: 'Gerät',
    used: 'Letzter Kontakt',
    since: 'Angemeldet',
    end: 'Beenden',
  },
  connected: 'Verbunden',
  thisDevice: 'Dieses Gerät',
  actingAs: '{name}, handelt als diese Person',
  from: 'von {address}',
  endOne: 'Abmelden',
  endOneOf: '{device} von {name} abmelden',
  endOneTitle: 'Dieses Gerät von {name} abmelden?',
  endAll: 'Alle abmelden',
  endAllTitle: 'Alle abmelden?',
  endAllBody:
    'Alle Sitzungen enden, außer Ihrer eigenen und denen der Stationen. Nicht gesendete Änderungen bleiben bis zur nächsten Anmeldung auf den jeweiligen Geräten.',
  endBody: 'Nicht gesendete Änderungen bleiben bis zur nächsten Anmeldung auf dem Gerät.',
  ended: 'Abgemeldet',
  allEnded: 'Alle anderen sind abgemeldet',
};

export const redeem: Translation<typeof redeemText> = {
  title: 'Code einlösen',
  lead: 'Geben Sie den Code von Ihrem Blatt ein und wählen Sie ein Passwort.',
  code: 'Code',
  codeHint: 'Zehn Buchstaben und Ziffern, zum Beispiel 7Q4XM-R2KD9',
  needCode: 'Geben Sie den Code von Ihrem Blatt ein',
  save: 'Passwort speichern',
  failed: 'Das Passwort konnte nicht gespeichert werden',
  done: 'Passwort gespeichert',
  doneHint: 'Melden Sie sich mit {email} und Ihrem neuen Passwort an.',
  doneHintWithout: 'Melden Sie sich mit Ihrer E-Mail-Adresse und Ihrem neuen Passwort an.',
};
