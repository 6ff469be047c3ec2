import type { Bullet } from '#shared/model/guide.ts';

/** What a bullet is called in English, on a printed page and in the app. */
export const englishBullets: Readonly<Record<Bullet, string>> = {
  black: 'Black',
  red: 'Red',
  orange: 'Orange',
  yellow: 'Yellow',
  green: 'Green',
  light_blue: 'Light blue',
  blue: 'Blue',
  violet: 'Violet',
  icon_note: 'Note',
  icon_caution: 'Caution',
  icon_reminder: 'Reminder',
};
