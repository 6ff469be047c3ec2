import type { Translation } from '#shared/text/message.ts';

import type { mailTexts } from '../en/mails.ts';

const doer = `{who, select, commandLine {von einem Administrator über die Befehlszeile des Servers} self {von Ihnen oder einer Person, die Ihr Passwort kennt} resetLink {von der Person, die einen Link zum Zurücksetzen des Passworts geöffnet hat} addressLink {von der Person, die den an die neue Adresse gesendeten Link geöffnet hat} printedCode {von der Person, die einen gedruckten Code verwendet hat} provider {von einer Anmeldung über das Single Sign-on Ihrer Organisation, das Ihre Adresse kennt} other {vom Administrator {administrator}}}`;

const backup = '{what, select, backup {Die Sicherung} other {Die wöchentliche Prüfung der Sicherung}}';

export const mails: Translation<typeof mailTexts> = {
  credentials: {
    password: 'Passwort',
    address: 'E-Mail-Adresse',
    ssoUserid: 'Kennung für Single Sign-on',
  },

  invitation: {
    subject: 'Einladung zu {site}',
    text: `Guten Tag {name},

{inviter} lädt Sie zu {site} ein. Um Ihr Passwort zu wählen, öffnen Sie innerhalb einer Woche diesen Link:

{link}

Melden Sie sich danach mit dieser E-Mail-Adresse und Ihrem Passwort an.
`,
  },

  code: {
    subject: 'Für Ihr Konto bei {site} wurde ein Code erstellt',
    text: `Guten Tag {name},

für Ihr Konto bei {site} wurde ${doer} ein Code erstellt, mit dem sich ein neues Passwort wählen lässt.
Ihr Passwort gilt, bis der Code verwendet wird.

Falls Sie das nicht erwartet haben, wenden Sie sich sofort an einen Administrator von {site}.
`,
  },

  reset: {
    subject: 'Neues Passwort für {site} wählen',
    text: `Guten Tag {name},

das Passwort Ihres Kontos bei {site} soll zurückgesetzt werden. Um ein neues Passwort zu wählen, öffnen Sie innerhalb
einer Stunde diesen Link:

{link}

Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Ihr Passwort bleibt, wie es ist.
`,
  },

  newAddress: {
    subject: 'Ihre Adresse bei {site}',
    text: `Guten Tag,

diese Adresse wurde bei {site} {reason, select, registered {für eine Registrierung verwendet} other {als neue Adresse eines Kontos angegeben}}. Um sich damit anzumelden, öffnen Sie innerhalb eines Tages diesen Link und wählen Sie ein Passwort:

{link}

Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail: Die Adresse wird dann nicht verwendet.
`,
  },

  takenAddress: {
    text: `Guten Tag,

diese Adresse wurde bei {site} {reason, select, registered {für eine Registrierung verwendet} other {als neue Adresse eines Kontos angegeben}}, gehört dort aber schon zu einem Konto oder gehörte früher zu einem.
Es wurde nichts geändert. Um das Passwort Ihres Kontos zurückzusetzen, öffnen Sie diese Seite:

{link}

Falls Sie das nicht angefordert haben, ignorieren Sie diese E-Mail.
`,
  },

  changed: {
    subject: 'Änderung an Ihrem Konto bei {site}: {what}',
    text: `Guten Tag {name},

an Ihrem Konto bei {site} wurde Folgendes geändert: {what}. Die Änderung stammt ${doer}. Alle anderen Sitzungen des Kontos sind beendet.

Falls Sie das nicht erwartet haben, wenden Sie sich sofort an einen Administrator von {site} und wählen Sie ein neues Passwort:

{link}
`,
  },

  signed: {
    subject:
      'Mit Ihrem Konto bei {site} wurde {thing, select, guide {eine Anleitung} other {ein Auftrag}} unterschrieben',
    text: `Guten Tag {name},

mit Ihrem Konto bei {site} wurde {thing, select, guide {eine Anleitung} other {ein Auftrag}} unterschrieben. Es ist die erste Unterschrift, seit Ihr Passwort, Ihre E-Mail-Adresse oder
Ihre Kennung für Single Sign-on am {day} (UTC) ${doer} geändert wurde.

Falls Sie nicht unterschrieben haben, wenden Sie sich sofort an einen Administrator von {site} oder an die Person, die für Unterschriften verantwortlich ist.
`,
  },

  signInSettings: {
    address: 'Adresse der Plattform',
    smtp: 'Mailserver',
    sign_on: 'Identitätsanbieter',
  },
  settings: {
    subject: 'Geänderte Einstellungen von {site}: {what}',
    text: `Guten Tag,

der Administrator {administrator} hat an {site} Folgendes geändert: {what}. Wer diese Einstellungen kontrolliert, kann sich als jede beliebige Person
anmelden.

Falls Sie das nicht erwartet haben, prüfen Sie sofort das Änderungsprotokoll (benchbook audit list --action 'PATCH /site').
`,
  },

  test: {
    subject: 'Testmail von {site}',
    text: `Guten Tag {name},

{site} kann E-Mails senden. Sie haben diesen Test angefordert.
`,
  },

  attempts: {
    subject: 'Fehlgeschlagene Versuche bei {site}',
    text: `Guten Tag,

bei {site} sind {failures, number} Versuche fehlgeschlagen: {action}, {object, select, none {kein bekanntes Konto} other {{object}}}, von der Adresse {address}. Ab jetzt wird jeder weitere Versuch
verzögert. Alle fehlgeschlagenen Versuche stehen im Änderungsprotokoll (benchbook audit list --refused).
`,
  },

  backupFailed: {
    subject: `${backup} von {site} ist fehlgeschlagen`,
    text: `${backup} von {site} ist fehlgeschlagen:

{failure}

Bis sie wieder gelingt, wäre bei einem Ausfall der Festplatte des Servers alles verloren, was neuer ist als die letzte gute Sicherung. Den Stand der Sicherungen zeigen die Verwaltung und der Befehl benchbook doctor.`,
  },
  backupWorks: {
    subject: `${backup} von {site} funktioniert wieder`,
    text: `${backup} von {site} ist wieder gelungen.`,
  },

  damage: {
    subject: 'Die Datenbank von {site} ist beschädigt',
    text: `Die Datenbank von {site} ist beschädigt: {faults}

Was sich noch lesen lässt, wird weiter ausgeliefert, und die Geräte behalten ihre Arbeit. Stellen Sie die neueste
Sicherung wieder her: Halten Sie den Server an, führen Sie benchbook restore ORDNER aus und starten Sie ihn wieder. Die Geräte bieten
danach an, was in der Sicherung fehlt. Prüfen Sie die Festplatte, bevor Sie sie weiter verwenden.
`,
  },
};
