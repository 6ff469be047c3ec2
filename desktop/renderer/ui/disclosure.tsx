import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './disclosure.module.css';

interface DisclosureProps {
  summary: string;
  /** What is said instead of `summary` where several with the same words stand on a screen. */
  label?: string;
  children: ReactNode;
}

/** Something that few want to see: its content is made when it is opened. */
export function Disclosure({ summary, label, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={classNames(styles, 'summary')} aria-label={label}>
        <ChevronDown aria-hidden="true" />
        {summary}
      </summary>
      {isOpen && children}
    </details>
  );
}
