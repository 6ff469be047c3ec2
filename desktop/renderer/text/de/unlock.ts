import type { PinRefusal } from '#shared/rules/device-pin.ts';
import type { Translation } from '#shared/text/message.ts';

import type { unlockText } from '../en/unlock.ts';

const pinRefusals: Record<PinRefusal, string> = {
  'too-short': 'Geben Sie mindestens 6 Zeichen ein',
  'too-long': 'Geben Sie höchstens 200 Zeichen ein',
  repeated: 'Wählen Sie eine PIN, die nicht nur ein Zeichen wiederholt',
  run: 'Wählen Sie eine PIN, die keine Folge wie 123456 ist',
};

export const unlock: Translation<typeof unlockText> = {
  protectTitle: 'Arbeitsdaten auf diesem Gerät schützen',
  protectLead:
    'Anleitungen, die Sie bearbeiten, und Schritte, die Sie aufzeichnen, bleiben auf diesem Computer, bis der Server sie hat. Sie sind verschlüsselt. Wie möchten Sie sie entsperren?',
  how: 'Entsperren',
  withPin: 'Mit einer PIN',
  withoutPin: 'Ohne PIN',
  pin: 'PIN',
  newPin: 'Neue PIN',
  pinHint: 'Mindestens 6 Zeichen. Mit Buchstaben ist sie viel schwerer zu erraten.',
  pinAgain: 'PIN wiederholen',
  pinRefusals,
  notAlike: 'Die beiden PINs sind verschieden',
  needPin: 'Geben Sie Ihre PIN ein',
  noPinTitle: 'Wer den Datenordner kopiert, kann diese Daten lesen',
  noPinHint:
    'Der Schlüssel liegt in einer Datei neben den Daten. Nutzen Sie dies nur auf einer Station in einem abgeschlossenen Raum oder bei verschlüsselter Festplatte.',
  protect: 'Weiter',
  protectFailed: 'Der Schlüssel konnte nicht gespeichert werden',
  title: 'Arbeitsdaten auf diesem Gerät entsperren',
  lead: 'Die Arbeitsdaten auf diesem Computer sind verschlüsselt. Geben Sie die PIN dieses Geräts ein.',
  unlock: 'Entsperren',
  wrongPin: 'Falsche PIN',
  unlockFailed: 'Die Arbeitsdaten konnten nicht entsperrt werden',
  wait: (seconds) =>
    seconds < 90
      ? `Zu viele falsche PINs. Versuchen Sie es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} erneut.`
      : `Zu viele falsche PINs. Versuchen Sie es in ${Math.ceil(seconds / 60)} Minuten erneut.`,
  forgot: 'Ich weiß die PIN nicht',
  systemTitle: 'Der Schlüsselbund dieses Computers gibt den Schlüssel nicht frei',
  systemHint:
    'Das passiert, wenn das Passwort des Computers zurückgesetzt oder die Daten von einem anderen Computer kopiert wurden. Es ist nichts verloren.',
  tryAgain: 'Erneut versuchen',
  recoverTitle: 'Zum Entsperren dieses Geräts anmelden',
  recoverLead: (accounts) =>
    `Der Server bewahrt einen zweiten Schlüssel für dieses Gerät auf. Melden Sie sich mit einem Konto an, das hier schon genutzt wurde: ${accounts.join(', ')}.`,
  recovering: 'Wird entsperrt …',
  recoverFailed: 'Dieses Konto kann das Gerät nicht entsperren',
  recoverFailedHint: 'Melden Sie sich mit dem Konto an, das auf diesem Gerät schon genutzt wurde.',
  recoverRefused:
    'Der Server hat keinen Schlüssel für dieses Gerät oder ist zu alt, um einen aufzubewahren. Wenden Sie sich an Ihren Administrator.',
  noRecovery: 'Kein Konto kann dieses Gerät entsperren',
  noRecoveryHint:
    'Der Server hat noch keinen Schlüssel dafür aufbewahrt. Die verschlüsselten Daten bleiben auf dem Computer, falls Ihnen die PIN wieder einfällt.',
  back: 'Zurück',
  setAside: 'Ohne diese Daten starten',
  setAsideTitle: 'Ohne die verschlüsselten Daten starten?',
  setAsideHint:
    'Die verschlüsselten Daten kommen in einen eigenen Ordner auf diesem Computer und werden nicht gelöscht. Die App startet leer. Was nicht gesendet wurde, bleibt gesperrt, bis jemand diesen Ordner entsperrt.',
  setAsideConfirm: 'Leer starten',
  unreadable: 'Die Schlüsseldatei öffnet die Arbeitsdaten auf diesem Gerät nicht',
  unreadableHint: {
    newer:
      'Eine neuere Version der App hat sie geschrieben. Aktualisieren Sie die App, um die Arbeitsdaten auf diesem Gerät zu öffnen.',
    damaged:
      'Sie ist beschädigt. Stellen Sie die Datei „device-key.json“ aus einer Sicherung dieses Computers wieder her.',
    lost: 'Sie fehlt, aber auf diesem Gerät liegen verschlüsselte Daten. Stellen Sie die Datei „device-key.json“ aus einer Sicherung dieses Computers wieder her.',
    other:
      'Sie gehört zu anderen Daten als denen auf diesem Gerät. Legen Sie die Datei „device-key.json“ zurück, die zu diesen Daten gehört.',
    disk: 'Sie lässt sich nicht von der Festplatte lesen. Schaffen Sie Platz, prüfen Sie die Berechtigungen des Datenordners und versuchen Sie es erneut.',
  },
  section: 'Schutz der Arbeitsdaten auf diesem Gerät',
  protection: {
    system: 'Verschlüsselt. Der Schlüsselbund dieses Computers verwahrt den Schlüssel.',
    pin: 'Verschlüsselt. Der Schlüssel ist durch eine PIN geschützt.',
    file: 'Verschlüsselt, aber der Schlüssel liegt in einer Datei neben den Daten. Wer den Ordner kopiert, kann die Daten lesen.',
  },
  recovery: (accounts) =>
    accounts.length === 0
      ? 'Geht der Schlüssel verloren, kann niemand die Daten entsperren. Melden Sie sich erneut an, damit der Server einen zweiten Schlüssel aufbewahrt.'
      : `Geht der Schlüssel verloren, können diese Konten die Daten entsperren: ${accounts.join(', ')}.`,
  changePin: 'PIN ändern',
  setPin: 'PIN festlegen',
  useKeyring: 'Schlüsselbund verwenden',
  changed: 'Der Schutz ist geändert',
  save: 'Speichern',
  cancel: 'Abbrechen',
};
