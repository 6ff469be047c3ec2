import type { Translation } from '#shared/text/message.ts';

import type { signInText } from '../en/sign-in.ts';

/** Begins each message of `unproved`. */
const waiting =
  '{changes, plural, one {# Änderung auf diesem Gerät wartet} other {# Änderungen auf diesem Gerät warten}} auf {origin}.';

export const signIn: Translation<typeof signInText> = {
  title: 'Anmelden',
  lead: 'Anleitungen und Aufträge, die bei Ihnen bleiben – mit und ohne Netzwerk.',
  server: 'Serveradresse',
  serverHint: 'Die Adresse, die Sie von Ihrem Betrieb bekommen haben',
  knownServers: 'Zuvor genutzte Server zeigen',
  noServers: 'Keine anderen Server auf diesem Gerät genutzt',
  email: 'E-Mail',
  password: 'Passwort',
  submit: 'Anmelden',
  signingIn: 'Anmeldung läuft …',
  codeMissing: 'Der Rest der App konnte nicht geladen werden',
  codeMissingHint:
    'Prüfen Sie die Verbindung, und versuchen Sie es erneut. Was Sie eingegeben haben, bleibt hier.',
  archives: 'Archiv öffnen',
  archivesHint:
    'Eine .omanual-Datei von einem USB-Stick, aus einer E-Mail oder einem Download. Sie brauchen kein Konto.',
  emptyServer: 'Dieser Server hat noch keinen Administrator',
  emptyServerHint: 'Richten Sie ihn mit dem Code ein, den der Server beim Start ausgegeben hat.',
  goToSetup: 'Diesen Server einrichten',
  station: 'Dieses Gerät ist eine Station',
  stationHint: 'Für einen gemeinsamen Bildschirm in der Werkstatt: Man meldet sich mit Ausweis oder PIN an.',
  forgot: 'Passwort vergessen?',
  useCode: 'Ich habe einen gedruckten Code',
  forgotTitle: 'Neues Passwort festlegen',
  forgotLead: 'Ihr Server sendet einen Link an Ihre E-Mail-Adresse. Er gilt einmal und eine Stunde lang.',
  sendLink: 'Link senden',
  linkSent: 'Prüfen Sie Ihr Postfach',
  linkSentHint:
    'Wenn es zu der Adresse ein Konto gibt, ist der Link unterwegs. Falls Ihr Server keine E-Mails sendet, bitten Sie Ihren Administrator um einen Link.',
  backToSignIn: 'Zurück zur Anmeldung',
  sendFailed: 'Der Link konnte nicht gesendet werden',
  resetTitle: 'Neues Passwort wählen',
  resetLead: 'Sie werden überall abgemeldet. Melden Sie sich danach mit dem neuen Passwort an.',
  newPassword: 'Neues Passwort',
  newPasswordHint: 'Mindestens zehn Zeichen',
  needNewPassword: 'Geben Sie mindestens zehn Zeichen ein',
  savePassword: 'Passwort speichern',
  passwordSaved: 'Ihr neues Passwort ist gespeichert',
  resetFailed: 'Das Passwort konnte nicht gespeichert werden',
  noToken: 'Dieser Link ist unvollständig',
  noTokenHint: 'Öffnen Sie den ganzen Link aus der E-Mail oder fordern Sie einen neuen an.',
  askAgain: 'Neuen Link anfordern',
  needServer: 'Geben Sie die Adresse Ihres Servers ein, zum Beispiel https://guides.example.org',
  needEmail: 'Geben Sie Ihre E-Mail-Adresse ein',
  needPassword: 'Geben Sie Ihr Passwort ein',
  failed: 'Die Anmeldung ist fehlgeschlagen',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch. Prüfen Sie beides und versuchen Sie es erneut.',
  unproved: {
    'origin-not-named': `${waiting} {at} hat nicht nachgewiesen, dass es derselbe Server ist. Darum wurde nichts gesendet. Bitten Sie Ihren Administrator, diese Adresse als Adresse der Plattform einzutragen oder den Server mit --origin {at} zu starten. Melden Sie sich danach erneut an.`,
    'cannot-verify': `${waiting} Dieser Browser kann nicht prüfen, ob {at} derselbe Server ist. Darum wurde nichts gesendet. Aktualisieren Sie den Browser oder nutzen Sie die Desktop-App.`,
    'no-identity': `${waiting} {at} hat sich nicht ausgewiesen. Darum wurde nichts gesendet. Vielleicht läuft dort eine ältere Version als zuvor: Bitten Sie Ihren Administrator, den Server zu aktualisieren.`,
  },
  beginAnew: 'Ohne diese Änderungen anmelden',
  signOnWith: 'Mit {provider} anmelden',
  signOnWaiting: 'Machen Sie im Browser weiter',
  signOnOpenAgain: 'Anmeldeseite erneut öffnen',
  signOnEnded:
    'Die Anmeldung bei Ihrer Organisation wurde nicht abgeschlossen. Versuchen Sie es erneut oder melden Sie sich mit Ihrem Passwort an.',
  signOnElsewhere:
    'Diese Anmeldung wurde in einem anderen Fenster begonnen oder schon verwendet. Beginnen Sie hier von vorn.',
  signOnAt:
    'Über Ihre Organisation können Sie sich nur auf {origin} anmelden. Öffnen Sie diese Adresse und melden Sie sich dort an.',
  insecure: 'Diese Seite kann Ihre Arbeit nicht aufbewahren',
  insecureHint:
    'Sie wurde über eine unsichere Verbindung (http) geöffnet. Dort bietet der Browser keinen sicheren Speicher. Öffnen Sie sie über https, auf dem Server selbst oder in der Desktop-App.',
  expired: 'Ihre Sitzung ist abgelaufen',
  expiredHint:
    'Melden Sie sich erneut an, um zu senden, was auf diesem Gerät gespeichert ist. Nichts geht verloren, und Sie können inzwischen weiterlesen.',
};
