import { Menu as MenuIcon } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { useLive, useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './navigation.module.css';

interface Place {
  href: string;
  name: string;
  isHere: boolean;
  /** Things that wait for the person there, and the words for the link then. */
  waiting: number;
  waits?: string;
}

function usePlaces(): Place[] {
  const [path] = useLocation();
  const { conflicts, parked } = useLive('syncState');
  const approvals = useLiveSoon('approvals') ?? [];
  const unsigned = approvals.filter((card) => card.mine).length;
  const { outdated, left } = useLiveSoon('archiveNews') ?? { outdated: 0, left: [] };
  const news = outdated + left.length;
  const under = (root: string) => path === root || path.startsWith(`${root}/`);
  const isPeople = under('/people') || under('/teams') || under('/profile');
  const elsewhere =
    under('/pages') ||
    under('/archives') ||
    isPeople ||
    under('/training') ||
    under('/approvals') ||
    under('/work-orders') ||
    under('/sync') ||
    under('/settings');
  return [
    { href: '/', name: text.app.library, isHere: !elsewhere, waiting: 0 },
    { href: '/pages', name: text.app.pages, isHere: under('/pages'), waiting: 0 },
    {
      href: '/archives',
      name: text.app.archives,
      isHere: under('/archives'),
      waiting: news,
      waits: text.app.archivesWith(news),
    },
    { href: '/people', name: text.app.people, isHere: isPeople, waiting: 0 },
    { href: '/training', name: text.app.training, isHere: under('/training'), waiting: 0 },
    { href: '/work-orders', name: text.app.workOrders, isHere: under('/work-orders'), waiting: 0 },
    // A site without approval processes has nothing there.
    ...(approvals.length > 0 || under('/approvals')
      ? [
          {
            href: '/approvals',
            name: text.app.approvals,
            isHere: under('/approvals'),
            waiting: unsigned,
            waits: text.app.approvalsWith(unsigned),
          },
        ]
      : []),
    {
      href: '/sync',
      name: text.app.sync,
      isHere: under('/sync'),
      waiting: conflicts + parked,
      waits: text.app.syncWith(conflicts + parked),
    },
  ];
}

/** Where somebody can go who is not signed in. */
export function GuestNavigation() {
  return (
    <nav aria-label={text.app.mainNavigation}>
      <Link className={classNames(styles, 'place', 'here')} href="/archives" aria-current="page">
        {text.app.archives}
      </Link>
    </nav>
  );
}

/** Where one can go; folds into a menu where the window is narrow. */
export function Navigation() {
  const places = usePlaces();
  return (
    <>
      <nav className={classNames(styles, 'nav')} aria-label={text.app.mainNavigation}>
        {places.map((place) => (
          <Link
            key={place.href}
            className={classNames(styles, 'place', place.isHere && 'here')}
            href={place.href}
            {...(place.isHere && { 'aria-current': 'page' as const })}
            {...(place.waiting > 0 && { 'aria-label': place.waits })}
          >
            {place.name}
            {place.waiting > 0 && (
              <span className={classNames(styles, 'count')} data-count={place.waiting} aria-hidden="true" />
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
              items: places.map(({ href, name, waiting }) => ({
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
