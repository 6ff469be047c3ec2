import type { Translation } from '#shared/text/message.ts';

import type { cropText } from '../en/crop.ts';

export const crop: Translation<typeof cropText> = {
  title: 'Zuschneiden und drehen',
  opening: 'Das Bild wird geöffnet',
  unreadable: 'Dieses Bild lässt sich hier nicht öffnen',
  notHere: 'Dieses Bild ist nicht auf diesem Gerät',
  notHereHint: 'Es lässt sich zuschneiden, sobald der Server erreichbar ist.',
  smaller: 'Das neue Bild entsteht aus einer kleineren Kopie, weil das Original nicht auf diesem Gerät ist.',
  still: 'Das neue Bild bewegt sich nicht, auch wenn dieses animiert ist.',
  frame: 'Rahmen: was vom Bild bleibt',
  keys: 'Rahmen oder Ecken ziehen oder die Pfeiltasten benutzen · Umschalt und Pfeiltasten: Größe · Eingabe: übernehmen',
  tools: 'Drehung und Seitenverhältnis',
  rotateLeft: 'Nach links drehen',
  rotateRight: 'Nach rechts drehen',
  proportions: 'Seitenverhältnis des Rahmens',
  proportionNames: { free: 'Frei', fourThree: '4:3' },
  reset: 'Ganzes Bild',
  size: '{width} × {height} Pixel',
  dropped:
    '{number, plural, one {# Markierung liegt außerhalb des Rahmens und wird entfernt.} other {# Markierungen liegen außerhalb des Rahmens und werden entfernt.}}',
  failed: 'Das Bild wurde nicht geändert',
  tooManyPixels: 'Der Server nimmt Bilder bis {most} Megapixel an. Verkleinern Sie den Rahmen.',
  tooLarge: 'Der Server nimmt Dateien bis {most} MB an. Verkleinern Sie den Rahmen.',
  cancel: 'Abbrechen',
  apply: 'Übernehmen',
};
