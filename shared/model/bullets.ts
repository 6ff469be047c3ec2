import type { z } from 'zod';
import type { Bullet } from './guide.ts';
import type { bulletStyle } from './guide-record.ts';

export type BulletStyle = z.infer<typeof bulletStyle>;

/** The shape of a bullet, so that colour is never the only distinction. */
export type BulletShape =
  | 'dot'
  | 'diamond'
  | 'triangle'
  | 'star'
  | 'hexagon'
  | 'ring'
  | 'square'
  | 'cross'
  | 'note'
  | 'caution'
  | 'reminder';

export interface BulletEntry {
  readonly shape: BulletShape;
  /** The record that live servers send with a line of this bullet. */
  readonly style: BulletStyle;
}

/**
 * All bullets with the style records of live servers; those of light_blue, violet and icon_reminder are ours, made like
 * the others.
 */
export const bulletEntries = {
  black: { shape: 'dot', style: dot(1, '#11161a') },
  red: { shape: 'diamond', style: dot(2, '#c1280b') },
  orange: { shape: 'triangle', style: dot(3, '#ff9024') },
  yellow: { shape: 'star', style: dot(4, '#f3e00e') },
  green: { shape: 'hexagon', style: dot(5, '#16dc81') },
  light_blue: { shape: 'ring', style: dot(6, '#1bb1e9') },
  blue: { shape: 'square', style: dot(7, '#2343e8') },
  violet: { shape: 'cross', style: dot(8, '#dc54b7') },
  icon_caution: { shape: 'caution', style: icon(9, 'caution', '#c1280b', '\\e602', 'Caution') },
  icon_note: { shape: 'note', style: icon(10, 'char', '#666666', '\\e601', 'Note') },
  icon_reminder: { shape: 'reminder', style: icon(11, 'char', '#666666', '\\e600', 'Reminder') },
} as const satisfies Readonly<Record<Bullet, BulletEntry>>;

/** The fields of an API line that follow from its bullet. */
export function bulletStyleOf(bullet: Bullet): { bullet_styleid: number; bullet_style: BulletStyle } {
  const { style } = bulletEntries[bullet];
  return { bullet_styleid: style.bullet_styleid, bullet_style: style };
}

function dot(id: number, color: string): BulletStyle {
  return { ...common(id, color), type: 'dot', char: null, label: null, size: 'small', color_locked: 1 };
}

function icon(id: number, type: string, color: string, char: string, label: string): BulletStyle {
  return { ...common(id, color), type, char, label, size: 'medium', color_locked: 0 };
}

function common(
  id: number,
  color: string,
): Omit<BulletStyle, 'type' | 'char' | 'label' | 'size' | 'color_locked'> {
  return {
    bullet_styleid: id,
    description: null,
    bullet_color: color,
    imageid: null,
    is_default: id === 1 ? 1 : 0,
    is_disabled: 0,
    userid_modified: 1,
    last_modified: 1_702_940_598,
  };
}
