import type { Bullet } from '#shared/model/guide.ts';

export type BulletColour = 'black' | 'red' | 'orange' | 'yellow' | 'green' | 'light-blue' | 'blue' | 'violet';

/** Every colour has a shape of its own, so that colour is never the only sign. Outlines in a box of 24 by 24. */
export const shapePaths: Record<BulletColour, string> = {
  black: 'M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14z',
  red: 'M12 2.5l9.5 9.5l-9.5 9.5l-9.5-9.5z',
  orange: 'M12 3.5l9.8 17h-19.6z',
  yellow: 'M12 2l3 6.7l7.2.8l-5.4 4.9l1.5 7.2l-6.3-3.7l-6.3 3.7l1.5-7.2l-5.4-4.9l7.2-.8z',
  green: 'M7.6 3h8.8l4.6 9l-4.6 9h-8.8l-4.6-9z',
  'light-blue': 'M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19zm0 5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  blue: 'M4 4h16v16h-16z',
  violet: 'M8.5 3h7v5.5h5.5v7h-5.5v5.5h-7v-5.5h-5.5v-7h5.5z',
};

/** The colour of a bullet; null for the three that are blocks with icons. */
export function bulletColour(bullet: Bullet): BulletColour | null {
  if (bullet === 'icon_note' || bullet === 'icon_caution' || bullet === 'icon_reminder') return null;
  return bullet === 'light_blue' ? 'light-blue' : bullet;
}

/** The bullet colour that a marker of a picture is drawn in; markup and API spell light blue in several ways. */
export function markerColour(colour: string): BulletColour {
  const name = colour.replace(/[\s_-]/g, '').toLowerCase();
  if (name === 'lightblue') return 'light-blue';
  return name in shapePaths ? (name as BulletColour) : 'red';
}
