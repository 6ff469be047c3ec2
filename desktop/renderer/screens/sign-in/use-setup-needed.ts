import { useEffect, useState } from 'react';

import { useSignInActions } from '#desktop/renderer/engine-context.tsx';

/** Whether a server has no administrator yet; undefined while that is unknown, or the server cannot say. */
export function useSetupNeeded(server: string): boolean | undefined {
  const actions = useSignInActions();
  const [answer, setAnswer] = useState<{ server: string; needed: boolean }>();
  useEffect(() => {
    let isHere = true;
    actions.setupState(server).then(
      ({ needed }) => isHere && setAnswer({ server, needed }),
      // It cannot be reached, or is older.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [actions, server]);
  return answer?.server === server ? answer.needed : undefined;
}
