import { Button } from 'react-aria-components';

import { classNames } from './class-names.ts';
import { Picture } from './picture.tsx';
import styles from './thumbnails.module.css';

/** Class of a button among the thumbnails that looks like one. */
export const thumbnailFrame = classNames(styles, 'thumbnail');

interface ThumbnailsProps {
  guids: readonly string[];
  /** Index of the enlarged picture. */
  chosen: number;
  label: (index: number) => string;
  onChoose: (index: number) => void;
}

/** The pictures of a step, to choose one. The custom property `--thumbnail` on an ancestor sets their width. */
export function Thumbnails({ guids, chosen, label, onChoose }: ThumbnailsProps) {
  return (
    <ul className={classNames(styles, 'thumbnails')}>
      {guids.map((guid, index) => (
        <li key={guid}>
          <Button
            className={classNames(styles, 'thumbnail', index === chosen && 'chosen')}
            aria-label={label(index)}
            aria-pressed={index === chosen}
            onPress={() => onChoose(index)}
          >
            <Picture guid={guid} size="thumbnail" alt="" fit="cover" />
          </Button>
        </li>
      ))}
    </ul>
  );
}
