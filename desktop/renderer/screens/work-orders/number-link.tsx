import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './number-link.module.css';

/** The address of everything about a serial or lot number. */
export function traceHref(number: string): string {
  return `/trace?${new URLSearchParams({ number }).toString()}`;
}

/** The address of the orders that were worked by a revision of a guide. */
export function revisionHref(guideid: string, revision: number): string {
  return `/trace?${new URLSearchParams({ guide: guideid, revision: String(revision) }).toString()}`;
}

/** A serial or lot number, which leads to everything about it. */
export function NumberLink({ number }: { number: string }) {
  return (
    <Link
      className={classNames(styles, 'number')}
      href={traceHref(number)}
      aria-label={text.tracing.traceNumber(number)}
    >
      {number}
    </Link>
  );
}

/** Several of them; renders nothing if there are none. */
export function NumberLinks({ numbers }: { numbers: readonly string[] }) {
  if (numbers.length === 0) return null;
  return (
    <ul className={classNames(styles, 'numbers')} aria-label={text.tracing.numbers}>
      {numbers.map((number) => (
        <li key={number}>
          <NumberLink number={number} />
        </li>
      ))}
    </ul>
  );
}
