import { Users } from 'lucide-react';
import { useEffect, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatList } from '#desktop/renderer/text/format.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './other-editors.module.css';

/** A device says this often that a guide is open, ms. The server forgets it after 50 s. */
const sayEvery = 20_000;

/**
 * Who else has the guide open for editing. While this is shown, this person has it open, too.
 *
 * - PRESENCE-3 Offline, and if nobody else has the guide open, nothing is shown.
 */
export function OtherEditors({ guideid }: { guideid: string }) {
  const actions = useActions();
  const isOnline = useLive('syncState').connection === 'online';
  const [others, setOthers] = useState<readonly string[]>([]);
  useEffect(() => {
    if (!isOnline) return undefined;
    let isHere = true;
    const say = () => {
      actions.openedGuide(guideid, true).then(
        (names) => isHere && setOthers(names),
        () => isHere && setOthers([]),
      );
    };
    say();
    const timer = setInterval(say, sayEvery);
    return () => {
      isHere = false;
      clearInterval(timer);
      // If this is lost, the server forgets it by itself.
      actions.openedGuide(guideid, false).catch(() => undefined);
    };
  }, [actions, guideid, isOnline]);
  if (!isOnline || others.length === 0) return null;
  return (
    <p className={classNames(styles, 'others')} role="status">
      <Users aria-hidden="true" />
      {text.editor.others(formatList(others), others.length)}
    </p>
  );
}
