import { useEffect } from 'react';

/** Keeps the screen on in a browser that can, while the page is shown. The desktop app does it itself. */
export function useStayAwake(): void {
  useEffect(() => {
    let held: WakeLockSentinel | null = null;
    let isGone = false;
    const hold = async (): Promise<void> => {
      // Browsers let it go when the page is hidden, and refuse it with little battery.
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return;
      const got = await navigator.wakeLock.request('screen').catch(() => null);
      if (isGone) await got?.release();
      else held = got;
    };
    const again = (): void => void hold();
    again();
    document.addEventListener('visibilitychange', again);
    return () => {
      isGone = true;
      document.removeEventListener('visibilitychange', again);
      void held?.release();
    };
  }, []);
}
