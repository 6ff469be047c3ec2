import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';

import styles from './avatar.module.css';

interface AvatarProps {
  name: string;
  imageGuid: string | null;
  size?: 'normal' | 'large';
}

/** The picture of a person, or their initials. */
export function Avatar({ name, imageGuid, size = 'normal' }: AvatarProps) {
  return (
    <span className={classNames(styles, 'avatar', size)} aria-hidden="true">
      {imageGuid === null ? initials(name) : <Picture guid={imageGuid} size="thumbnail" alt="" fit="cover" />}
    </span>
  );
}

/** The first letters of the first and last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : words;
  return picked.map((word) => firstLetter(word ?? '')).join('');
}

/** The first letter of a name, in upper case; '' for an empty one. */
export function firstLetter(name: string): string {
  return Array.from(name)[0]?.toUpperCase() ?? '';
}
