import { useEffect } from 'react';

import { refuseSaving } from '#desktop/renderer/platform/save-file.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';

/**
 * Says that neither a link to another place nor a document opens, and that nothing is printed or saved: all of them would show
 * windows of the system. `isKept`: the app keeps people in it.
 */
export function useNoWayOut(isKept: boolean): void {
  useEffect(() => {
    if (!isKept) return undefined;
    const onClick = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
      if (!(link instanceof HTMLAnchorElement)) return;
      const isFile = link.hasAttribute('download');
      if (!isFile && link.target !== '_blank' && link.origin === location.origin) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      showToast(isFile ? stationHomeText.noDocuments : stationHomeText.noLinks);
    };
    const print = window.print.bind(window);
    window.print = () => showToast(stationHomeText.noPrint);
    refuseSaving(stationHomeText.noSaving);
    for (const kind of ['click', 'auxclick'] as const)
      document.addEventListener(kind, onClick, { capture: true });
    return () => {
      window.print = print;
      refuseSaving(null);
      for (const kind of ['click', 'auxclick'] as const)
        document.removeEventListener(kind, onClick, { capture: true });
    };
  }, [isKept]);
}
