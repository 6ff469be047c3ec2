import { useEffect, useState } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';

/** Whether the site has a single sign-on; not before the server has said so. */
export function useOffered(isOffline: boolean): boolean {
  const actions = useActions();
  const [isOffered, setIsOffered] = useState(false);
  useEffect(() => {
    if (isOffline) return undefined;
    let isHere = true;
    actions.offersSignOn().then(
      (found) => isHere && setIsOffered(found),
      // The password works without knowing it.
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [actions, isOffline]);
  return isOffered;
}
