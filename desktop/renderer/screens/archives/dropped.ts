import { useEffect, useEffectEvent } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';

const archiveName = /\.(omanual|oman|zip|xml)$/i;

/** Archives that are dropped anywhere on the window, unless something under them takes the files itself. */
export function useDroppedArchives(open: (files: readonly File[]) => void): void {
  const drop = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || event.dataTransfer === null) return;
    const files = [...event.dataTransfer.files];
    const archives = files.filter(({ name }) => archiveName.test(name));
    event.preventDefault();
    if (archives.length > 0) open(archives);
    const others = files.filter((file) => !archives.includes(file));
    if (others.length > 0) showToast(text.archives.noArchive(others.map(({ name }) => name).join(', ')));
  });
  useEffect(() => {
    // Without it the browser leaves the app to show the file.
    const over = (event: DragEvent) => {
      if (event.dataTransfer?.types.includes('Files') === true) event.preventDefault();
    };
    const dropped = (event: DragEvent) => drop(event);
    window.addEventListener('dragover', over);
    window.addEventListener('drop', dropped);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', dropped);
    };
  }, []);
}
