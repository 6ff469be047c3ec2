import type { Translation } from '#shared/text/message.ts';

import type { enrolText } from '../en/station-enrolment.ts';

export const enrol: Translation<typeof enrolText> = {
  title: 'Dieses Gerät als Station einrichten',
  lead: 'Eine Station wird gemeinsam genutzt: Man meldet sich hier mit Ausweis oder PIN an, auch ohne Netzwerk.',
  server: 'Serveradresse',
  serverHint: 'Die Adresse, die Sie vom Administrator Ihres Betriebs bekommen haben',
  code: 'Code der Station',
  codeHint: 'Zehn Zeichen, aus „Stationen“ in der Verwaltung. Er gilt einmal und 15 Minuten lang.',
  needServer: 'Geben Sie die Adresse Ihres Servers ein, zum Beispiel https://guides.example.org',
  needCode: 'Geben Sie die zehn Zeichen des Codes ein',
  submit: 'Als Station einrichten',
  failed: 'Dieses Gerät konnte nicht als Station eingerichtet werden',
  again: 'Diese Station wieder einrichten',
  againLead:
    'Was auf diesem Gerät wartet, bleibt erhalten und wird gesendet, wenn es als dieselbe Station wieder eingerichtet wird.',
  beginAnew: 'Ohne diese Änderungen einrichten',
  backToSignIn: 'Zurück zur Anmeldung',
  backToLock: 'Zurück',
  leave: 'Stationsmodus beenden',
  leaveTitle: 'Stationsmodus beenden?',
  leaveLead:
    'Niemand kann sich hier mehr mit Ausweis oder PIN anmelden. Was wartet, bleibt auf diesem Gerät und wird gesendet, wenn es wieder als diese Station eingerichtet wird.',
  leaveProof:
    'Ein Administrator bestätigt dies mit seiner E-Mail-Adresse und seinem Passwort. Dafür ist das Netzwerk nötig.',
  exitCode: 'Ausstiegscode',
  exitCodeHint:
    'Acht Ziffern, die der Administrator mit dem Code der Station bekommen hat. Er gilt auch ohne Netzwerk.',
  needExitCode: 'Geben Sie die acht Ziffern des Ausstiegscodes ein',
  byPassword: 'Passwort nutzen',
  byCode: 'Ausstiegscode nutzen',
  needBoth: 'Geben Sie die E-Mail-Adresse und das Passwort eines Administrators ein',
};
