import { ChevronDown } from 'lucide-react';
import { useState, type ReactNode } from 'react';

import { classNames } from './class-names.ts';
import styles from './disclosure.module.css';

interface DisclosureProps {
  summary: string;
  /** Accessible name, where several disclosures on a screen have the same `summary`. */
  label?: string;
  children: ReactNode;
}

/** Collapsible content that is rendered when it is opened. */
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
