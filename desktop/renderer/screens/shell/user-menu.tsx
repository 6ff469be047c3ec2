import { LogIn, LogOut, Settings, UserRound } from 'lucide-react';

import type { Session } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Menu, type MenuAction } from '#desktop/renderer/ui/menu.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

import { useDisplayGroups } from './display-groups.ts';
import { useSignOut } from './sign-out.tsx';
import styles from './user-menu.module.css';

/** Menu with the appearance settings of this device and the person's links. */
export function UserMenu() {
  const session = useLive('session');
  const display = useDisplayGroups();
  const signOut = useSignOut();
  const name = session.user?.username ?? text.app.signInAgain;
  return (
    <>
      <Menu
        label={text.app.accountOf(name)}
        trigger={
          <Button icon={<UserRound aria-hidden="true" />} label={text.app.accountOf(name)}>
            <span className={classNames(styles, 'name')}>{name}</span>
          </Button>
        }
        groups={[
          display.density,
          display.theme,
          { id: 'account', items: accountItems(session, signOut.ask) },
        ]}
      />
      {signOut.question}
    </>
  );
}

function accountItems({ user, status }: Session, signOut: () => void): (MenuAction | false)[] {
  return [
    user !== null && {
      id: 'profile',
      name: text.app.profile,
      icon: <UserRound aria-hidden="true" />,
      href: `/people/${user.userid}`,
    },
    { id: 'settings', name: text.app.settings, icon: <Settings aria-hidden="true" />, href: '/settings' },
    status === 'expired' && {
      id: 'sign-in',
      name: text.app.signInAgain,
      icon: <LogIn aria-hidden="true" />,
      href: '/sign-in',
    },
    { id: 'sign-out', name: text.app.signOut, icon: <LogOut aria-hidden="true" />, onAction: signOut },
  ];
}
