import { useEffect, useRef, useState } from 'react';

import { findBridge } from '#desktop/renderer/platform/bridge.ts';
import { followUpdates } from '#desktop/renderer/platform/updates.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { UpdateState } from '#shared/model/update-state.ts';

/** From and until which hour a station may update itself, of the device's clock. */
const night = { from: 1, until: 5 };

/** Installs an update that is ready, once a night, while the station is locked. */
export function useNightUpdate(): void {
  const [bridge] = useState(() => findBridge());
  const [state, setState] = useState<UpdateState | null>(null);
  const triedOn = useRef<string | null>(null);
  const now = new Date(useNow(60_000));
  useEffect(() => (bridge === undefined ? undefined : followUpdates(bridge, setState)), [bridge]);
  const isReady = state?.status.phase === 'ready';
  const isNight = now.getHours() >= night.from && now.getHours() < night.until;
  const today = now.toDateString();
  useEffect(() => {
    if (bridge === undefined || !isReady || !isNight || triedOn.current === today) return;
    triedOn.current = today;
    bridge.updateInstall().catch(() => undefined);
  }, [bridge, isReady, isNight, today]);
}
