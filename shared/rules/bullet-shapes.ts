import { bulletEntries } from '#shared/model/bullets.ts';
import type { Bullet } from '#shared/model/guide.ts';

/** The bullets that are coloured shapes; the other three are blocks with icons. */
export type ColourBullet = Exclude<Bullet, `icon_${string}`>;

/** SVG paths of the shapes in a box of 24 by 24. */
const outlines: Record<(typeof bulletEntries)[ColourBullet]['shape'], string> = {
  dot: 'M12 5a7 7 0 1 1 0 14a7 7 0 1 1 0-14z',
  diamond: 'M12 2.5l9.5 9.5l-9.5 9.5l-9.5-9.5z',
  triangle: 'M12 3.5l9.8 17h-19.6z',
  star: 'M12 2l3 6.7l7.2.8l-5.4 4.9l1.5 7.2l-6.3-3.7l-6.3 3.7l1.5-7.2l-5.4-4.9l7.2-.8z',
  hexagon: 'M7.6 3h8.8l4.6 9l-4.6 9h-8.8l-4.6-9z',
  ring: 'M12 2.5a9.5 9.5 0 1 0 0 19a9.5 9.5 0 1 0 0-19zm0 5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9z',
  square: 'M4 4h16v16h-16z',
  cross: 'M8.5 3h7v5.5h5.5v7h-5.5v5.5h-7v-5.5h-5.5v-7h5.5z',
};

/** Whether a bullet is a coloured shape. */
export function isColourBullet(bullet: Bullet): bullet is ColourBullet {
  return !bullet.startsWith('icon_');
}

export function outlineOf(bullet: ColourBullet): string {
  return outlines[bulletEntries[bullet].shape];
}

/** Colours of markers that no bullet has, with the most similar bullet. */
const nearest: ReadonlyMap<string, ColourBullet> = new Map([
  ['lightBlue', 'light_blue'],
  ['darkBlue', 'blue'],
  ['indigo', 'violet'],
  ['pink', 'violet'],
]);

/** The bullet whose colour and shape a marker in a picture gets. */
export function bulletOfMarker(colour: string): ColourBullet {
  const name = nearest.get(colour) ?? colour;
  return Object.hasOwn(bulletEntries, name) && isColourBullet(name as Bullet)
    ? (name as ColourBullet)
    : 'red';
}
