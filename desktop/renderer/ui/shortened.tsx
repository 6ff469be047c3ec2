import { useState, type ReactNode } from 'react';

import { text } from '#desktop/renderer/text/en.ts';

import { Button } from './button.tsx';

interface ShortenedProps<T> {
  all: readonly T[];
  /** How many are shown at first. */
  most: number;
  children: (shown: readonly T[]) => ReactNode;
}

/** The first entries of a list, and a button that shows all. */
export function Shortened<T>({ all, most, children }: ShortenedProps<T>) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? all : all.slice(0, most);
  return (
    <>
      {children(shown)}
      {shown.length < all.length && (
        <div>
          <Button onPress={() => setIsWhole(true)}>{text.app.showAll(all.length)}</Button>
        </div>
      )}
    </>
  );
}
