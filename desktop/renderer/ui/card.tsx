import type { ReactNode } from 'react';

import styles from './card.module.css';
import { classNames } from './class-names.ts';
import { Stack } from './layout.tsx';

interface CardProps {
  /** The element to render. */
  as?: 'div' | 'section' | 'article' | 'li';
  tone?: 'plain' | 'chosen' | 'warn' | 'danger';
  pad?: 'none' | 'normal' | 'roomy';
  /** Id of the heading that names a section. */
  labelledBy?: string;
  children: ReactNode;
}

/** A bordered surface. */
export function Card({
  as: Element = 'div',
  tone = 'plain',
  pad = 'normal',
  labelledBy,
  children,
}: CardProps) {
  return (
    <Element className={classNames(styles, 'card', tone, `pad-${pad}`)} aria-labelledby={labelledBy}>
      {children}
    </Element>
  );
}

/** A part of a screen with a heading, on a card. */
export function SectionCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card as="section" pad="roomy">
      <Stack>
        <h2>{title}</h2>
        {children}
      </Stack>
    </Card>
  );
}
