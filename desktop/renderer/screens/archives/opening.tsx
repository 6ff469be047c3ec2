import { createContext, use, useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { followOpenedFiles, type HandedFile } from '#desktop/renderer/platform/opened-files.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { Problem } from '#shared/api/problem.ts';
import { ArchiveRefused } from '#shared/formats/omanual/archive.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';

import { CheckLink } from './check-link.tsx';

const words = text.archives;

/** Opens files as archives; available on every screen. */
const OpeningContext = createContext<(files: readonly File[]) => void>(() => undefined);

/** Returns the function that opens files as archives. */
export function useOpening(): (files: readonly File[]) => void {
  return use(OpeningContext);
}

interface Refusal {
  name: string;
  error: unknown;
}

/**
 * Opens archives that are chosen, dropped on the window or opened with the app. Shows the last one, and reports those
 * that cannot be opened.
 */
export function ArchiveOpening({ children }: { children: ReactNode }) {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [refusal, setRefusal] = useState<Refusal | null>(null);

  const openOne = async ({ name, source, done }: HandedFile) => {
    showToast(words.opening(name));
    try {
      if (source.size === 0) throw new Problem('invalid', words.unreadable);
      navigate(`/archives/${await actions.openArchive(source, name)}`);
    } catch (error) {
      setRefusal({ name, error });
    } finally {
      done();
    }
  };
  const openFiles = (files: readonly File[]) => {
    for (const file of files)
      void openOne({ name: file.name, source: blobSource(file), done: () => undefined });
  };
  const handed = useEffectEvent((file: HandedFile) => void openOne(file));
  useEffect(() => followOpenedFiles((file) => handed(file)), []);
  useDroppedArchives(openFiles, useLive('station') !== null);
  return (
    <OpeningContext value={openFiles}>
      {children}
      <RefusalDialog refusal={refusal} onClose={() => setRefusal(null)} />
    </OpeningContext>
  );
}

function RefusalDialog({ refusal, onClose }: { refusal: Refusal | null; onClose: () => void }) {
  const { name = '', error = null } = refusal ?? {};
  const isRefused = error instanceof ArchiveRefused;
  return (
    <Dialog
      title={isRefused ? words.refusedTitle : words.failedTitle}
      isOpen={refusal !== null}
      onClose={onClose}
      closeLabel={text.app.close}
      actions={
        <>
          {isRefused && <CheckLink />}
          <Button tone="primary" onPress={onClose} autoFocus>
            {text.app.close}
          </Button>
        </>
      }
    >
      <Stack gap="m">
        <Notice tone="danger" title={name}>
          <p>{errorMessage(error)}</p>
          {isRefused && error.member !== '' && <p>{words.refusedIn(error.member)}</p>}
        </Notice>
        {isRefused && <p>{words.refusedHint}</p>}
      </Stack>
    </Dialog>
  );
}

const archiveName = /\.(omanual|oman|zip|xml)$/i;

/**
 * Accepts archives dropped anywhere on the window, unless an element under the pointer handles the drop. A station accepts
 * none (LOCKDOWN-5).
 */
function useDroppedArchives(open: (files: readonly File[]) => void, isStation: boolean): void {
  const drop = useEffectEvent((event: DragEvent) => {
    if (event.defaultPrevented || event.dataTransfer === null) return;
    const files = [...event.dataTransfer.files];
    if (isStation && files.length > 0) {
      event.preventDefault();
      return showToast(words.notAtStation, 'danger');
    }
    const archives = files.filter(({ name }) => archiveName.test(name));
    event.preventDefault();
    if (archives.length > 0) open(archives);
    const others = files.filter((file) => !archives.includes(file));
    if (others.length > 0) showToast(text.archives.noArchive(others.map(({ name }) => name).join(', ')));
  });
  useEffect(() => {
    // Otherwise the browser would navigate to the file.
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
