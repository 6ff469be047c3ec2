import { ChevronDown, Lock, LogOut, Maximize, Menu as MenuIcon, UsersRound } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import type { StationView } from '#desktop/engine/api/station-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { useSmallWindow } from '#desktop/renderer/use-small-window.ts';
import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { densities } from '#desktop/renderer/preferences.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu } from '#desktop/renderer/ui/menu.tsx';
import { VisuallyHidden } from '#desktop/renderer/ui/visually-hidden.tsx';

import { LogoMark } from '../shell/logo.tsx';
import { useDisplayGroups } from '../shell/display-groups.ts';
import { isInGuide } from '../shell/guide-lead.tsx';
import { hasSearch } from '../shell/search-box.tsx';
import { Avatar } from './avatar.tsx';
import { SignOutDialog } from './sign-out-dialog.tsx';
import styles from './station-header.module.css';
import { SwitchDialog } from './switch-dialog.tsx';

const places = [
  ['/station', stationHomeText.home],
  ['/', stationHomeText.guides],
  ['/work-orders', text.navigation.workOrders],
] as const;

/** The start of the header at a station: its name, which leads home, and the few places that matter there. */
export function StationPlaces({ station }: { station: StationView }) {
  const [path] = useLocation();
  if (useSmallWindow())
    return (
      <Menu
        label={text.app.mainNavigation}
        trigger={<IconButton label={text.app.menu} icon={<MenuIcon />} look="bordered" />}
        groups={[{ id: 'places', items: places.map(([href, name]) => ({ id: href, name, href })) }]}
      />
    );
  return (
    <>
      <Link
        className={classNames(styles, 'station')}
        href="/station"
        aria-label={stationHomeText.toHome(station.name)}
      >
        <LogoMark />
        <span className={classNames(styles, 'name', hasSearch(path) && 'brief')}>{station.name}</span>
      </Link>
      <nav className={classNames(styles, 'nav')} aria-label={text.app.mainNavigation}>
        {places.map(([href, name]) => (
          <Link
            key={href}
            className={classNames(styles, 'place', path === href && 'here')}
            href={href}
            {...(path === href && { 'aria-current': 'page' as const })}
          >
            {name}
          </Link>
        ))}
      </nav>
    </>
  );
}

/** Whether a browser shows its own bars, and can hide them. */
function canFillScreen(): boolean {
  return document.fullscreenEnabled && document.fullscreenElement === null && findBridge() === undefined;
}

/** A station has no mouse. */
const stationSizes = densities.filter((id) => id !== 'desktop');

/** The end of the header at a station: who works, another person, and the lock. */
export function StationPerson({ station }: { station: StationView }) {
  const actions = useActions();
  const display = useDisplayGroups(stationSizes);
  // A guide needs the room of the header for its title, and the library for its search.
  const [path] = useLocation();
  const isBrief = isInGuide(path) || hasSearch(path);
  const isSmall = useSmallWindow();
  const [asks, setAsks] = useState<'switch' | 'sign-out' | null>(null);
  const { person, people } = station;
  if (person === null) return null;
  const imageGuid = people.find(({ userid }) => userid === person.userid)?.imageGuid ?? null;
  const lock = () => {
    handOverAll();
    actions.lockStation();
  };
  return (
    <>
      {!(isSmall && isInGuide(path)) && (
        <Menu
          label={stationHomeText.personMenu(person.username)}
          trigger={
            <AriaButton className={classNames(styles, 'person')}>
              <Avatar name={person.username} imageGuid={imageGuid} />
              <span className={classNames(styles, 'who', isBrief && 'brief')} aria-hidden="true">
                {person.username}
              </span>
              <VisuallyHidden>{stationHomeText.personMenu(person.username)}</VisuallyHidden>
              <ChevronDown aria-hidden="true" />
            </AriaButton>
          }
          groups={[
            {
              id: 'account',
              items: [
                isSmall && {
                  id: 'switch',
                  name: stationHomeText.switchPerson,
                  icon: <UsersRound aria-hidden="true" />,
                  onAction: () => setAsks('switch'),
                },
                {
                  id: 'sign-out',
                  name: stationHomeText.signOut,
                  icon: <LogOut aria-hidden="true" />,
                  onAction: () => setAsks('sign-out'),
                },
                canFillScreen() && {
                  id: 'full-screen',
                  name: stationHomeText.fullScreen,
                  icon: <Maximize aria-hidden="true" />,
                  onAction: () => void document.documentElement.requestFullscreen().catch(() => undefined),
                },
              ],
            },
            display.theme,
            display.density,
          ]}
        />
      )}
      {isBrief && !isSmall && (
        <IconButton
          look="bordered"
          icon={<UsersRound aria-hidden="true" />}
          label={stationHomeText.switchPerson}
          onPress={() => setAsks('switch')}
        />
      )}
      {!isBrief && !isSmall && (
        <Button
          icon={<UsersRound aria-hidden="true" />}
          label={stationHomeText.switchPerson}
          onPress={() => setAsks('switch')}
        >
          {stationHomeText.switch}
        </Button>
      )}
      {isSmall ? (
        <IconButton look="bordered" icon={<Lock />} label={stationHomeText.lock} onPress={lock} />
      ) : (
        <Button icon={<Lock aria-hidden="true" />} onPress={lock}>
          {stationHomeText.lock}
        </Button>
      )}
      {asks === 'switch' && <SwitchDialog station={station} onClose={() => setAsks(null)} />}
      {asks === 'sign-out' && <SignOutDialog station={station} onClose={() => setAsks(null)} />}
    </>
  );
}
