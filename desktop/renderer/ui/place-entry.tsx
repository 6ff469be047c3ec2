import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './place-entry.module.css';

export type PlaceState = 'plain' | 'now' | 'done';

/** Class of an entry that is not a button: a row in another kind of list. */
export function placeEntryClass(state: PlaceState): string {
  return classNames(styles, 'entry', state);
}

interface PlaceWordsProps {
  /** A number or an icon. */
  mark: ReactNode;
  isBroken?: boolean;
  title: string;
}

/** The content of an entry: mark and title. */
export function PlaceWords({ mark, isBroken = false, title }: PlaceWordsProps) {
  return (
    <>
      <span className={classNames(styles, 'mark', isBroken && 'broken')}>{mark}</span>
      <span className={classNames(styles, 'title')}>{title}</span>
    </>
  );
}

interface PlaceEntryProps {
  mark: ReactNode;
  title: string;
  state: PlaceState;
  /** Something is wrong here. */
  isBroken?: boolean;
  /** Value of `aria-current` if the entry is the current one. */
  current: 'page' | 'step';
  onPress: () => void;
}

/** An entry of the page list of a guide. */
export function PlaceEntry({ mark, title, state, isBroken = false, current, onPress }: PlaceEntryProps) {
  return (
    <Button
      className={placeEntryClass(state)}
      onPress={onPress}
      {...(state === 'now' && { 'aria-current': current })}
    >
      <PlaceWords mark={mark} title={title} isBroken={isBroken} />
    </Button>
  );
}
