import { Menu as MenuIcon } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useAdministers } from '#desktop/renderer/use-administers.ts';
import { useScreenAt } from '#desktop/renderer/use-screen-at.ts';
import { addressOfEntry, navigationEntries, screens, type NavigationEntry } from '#shared/rules/screens.ts';

import styles from './navigation.module.css';

/** An entry of the navigation. */
interface Entry {
  href: string;
  name: string;
  isHere: boolean;
  /** Number of items that wait for the person. */
  waiting: number;
  /** Label of the link while items wait. */
  waits: string;
}

function useEntries(): Entry[] {
  const [path] = useLocation();
  const { conflicts, parked } = useLive('syncState');
  const approvals = useLiveSoon('approvals') ?? [];
  const unsigned = approvals.filter((card) => card.mine).length;
  const feedback = useLiveSoon('feedback') ?? [];
  const { outdated, left } = useLiveSoon('archiveNews') ?? { outdated: 0, left: [] };
  const found = useScreenAt(path);
  // Addresses without a screen belong to the library.
  const here = found === undefined ? 'library' : found.screen.place;
  const waiting: Partial<Record<NavigationEntry, number>> = {
    archives: outdated + left.length,
    approvals: unsigned,
    feedback: feedback.filter(({ mine, done }) => mine && done === null).length,
    sync: conflicts + parked,
  };
  const administers = useAdministers();
  const isShown = (place: NavigationEntry): boolean => {
    if (place === 'administration') return administers;
    // Hides approvals and feedback while there are none, unless they are the current screen.
    const isEmpty =
      (place === 'approvals' && approvals.length === 0) || (place === 'feedback' && feedback.length === 0);
    return !isEmpty || here === place;
  };
  return navigationEntries.filter(isShown).map((place) => ({
    href: addressOfEntry(place),
    name: text.navigation[place],
    isHere: place === here,
    waiting: waiting[place] ?? 0,
    waits: waitingWords[place]?.(waiting[place] ?? 0) ?? '',
  }));
}

const waitingWords: Partial<Record<NavigationEntry, (waiting: number) => string>> = {
  archives: text.app.archivesWith,
  approvals: text.app.approvalsWith,
  feedback: text.app.feedbackWith,
  sync: text.app.syncWith,
};

/** Navigation for guests. */
export function GuestNavigation() {
  return (
    <nav aria-label={text.app.mainNavigation}>
      <Link className={classNames(styles, 'place', 'here')} href={screens.archives.path} aria-current="page">
        {text.app.archives}
      </Link>
    </nav>
  );
}

/** Main navigation; a menu on narrow windows. */
export function Navigation() {
  const entries = useEntries();
  return (
    <>
      <nav className={classNames(styles, 'nav')} aria-label={text.app.mainNavigation}>
        {entries.map((entry) => (
          <Link
            key={entry.href}
            className={classNames(styles, 'place', entry.isHere && 'here')}
            href={entry.href}
            {...(entry.isHere && { 'aria-current': 'page' as const })}
            {...(entry.waiting > 0 && { 'aria-label': entry.waits })}
          >
            {entry.name}
            {entry.waiting > 0 && (
              <span className={classNames(styles, 'count')} data-count={entry.waiting} aria-hidden="true" />
            )}
          </Link>
        ))}
      </nav>
      <div className={classNames(styles, 'folded')}>
        <Menu
          label={text.app.mainNavigation}
          trigger={<IconButton label={text.app.menu} icon={<MenuIcon />} look="bordered" />}
          groups={[
            {
              id: 'places',
              items: entries.map(({ href, name, waiting }) => ({
                id: href,
                name: waiting > 0 ? `${name} (${waiting})` : name,
                href,
              })),
            },
          ]}
        />
      </div>
    </>
  );
}
