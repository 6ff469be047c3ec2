import { useEffect } from 'react';

import { findBridge } from './platform/bridge.ts';

/** Tells the main process whether this device is a station, in which it keeps people. Null: not known yet. */
export function useStationLock(isStation: boolean | null): void {
  useEffect(() => {
    if (isStation === null) return;
    findBridge()
      ?.stationLock(isStation)
      .catch(() => undefined);
  }, [isStation]);
}
