import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './place-entry.module.css';

export type PlaceState = 'plain' | 'now' | 'done';

/** Class of an entry that is no button: a row in a list of another kind. */
export function placeEntryClass(state: PlaceState): string {
  return classNames(styles, 'entry', state);
}

interface PlaceWordsProps {
  /** A number or an icon. */
  mark: ReactNode;
  isBroken?: boolean;
  title: string;
}

/** What stands in an entry: the mark of the place, and what it is called. */
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
  /** What the place is, where one is in it. */
  current: 'page' | 'step';
  onPress: () => void;
}

/** The way to one place of a guide, in the list of them. */
export function PlaceEntry({ mark, title, state, current, onPress }: PlaceEntryProps) {
  return (
    <Button
      className={placeEntryClass(state)}
      onPress={onPress}
      {...(state === 'now' && { 'aria-current': current })}
    >
      <PlaceWords mark={mark} title={title} />
    </Button>
  );
}
