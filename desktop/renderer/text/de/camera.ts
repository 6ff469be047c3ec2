import type { Translation } from '#shared/text/message.ts';

import type { cameraText } from '../en/camera.ts';

export const camera: Translation<typeof cameraText> = {
  title: 'Foto aufnehmen',
  scanTitle: 'Code scannen',
  scanHint: 'Halten Sie den Code vor die Kamera.',
  view: 'Was die Kamera zeigt',
  taken: 'Das Foto',
  take: 'Foto aufnehmen',
  retake: 'Neu aufnehmen',
  use: 'Dieses Foto verwenden',
  switch: 'Andere Kamera',
  light: 'Licht',
  starting: 'Die Kamera startet …',
  chooseFile: 'Datei auswählen',
  again: 'Noch einmal versuchen',
  noFiles: 'An einer Station lassen sich keine Dateien auswählen. Tun Sie dies auf einem anderen Gerät.',
  missing: 'Keine Kamera vorhanden',
  missingHint:
    'Die App findet keine Kamera. Schließen Sie eine an, oder nehmen Sie das Foto mit einem Telefon auf.',
  denied: 'Die App darf die Kamera nicht benutzen',
  deniedHint:
    'Erlauben Sie es in den Einstellungen des Browsers, über das Symbol neben der Adresse dieser Seite, oder in den Datenschutzeinstellungen des Computers. Versuchen Sie es dann noch einmal.',
  busy: 'Die Kamera startet nicht',
  busyHint:
    'Vielleicht benutzt ein anderes Programm sie. Schließen Sie es, und versuchen Sie es dann noch einmal.',
};
