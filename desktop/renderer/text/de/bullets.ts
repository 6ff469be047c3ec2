import type { englishBullets } from '#shared/formats/print/words.ts';
import type { Translation } from '#shared/text/message.ts';

export const bullets: Translation<typeof englishBullets> = {
  black: 'Schwarz',
  red: 'Rot',
  orange: 'Orange',
  yellow: 'Gelb',
  green: 'Grün',
  light_blue: 'Hellblau',
  blue: 'Blau',
  violet: 'Violett',
  icon_note: 'Hinweis',
  icon_caution: 'Vorsicht',
  icon_reminder: 'Erinnerung',
};
