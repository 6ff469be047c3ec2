import { createRoot } from 'react-dom/client';

import { cameraText } from '#desktop/renderer/text/en/camera.ts';
import { showToast } from '#desktop/renderer/ui/toast.tsx';

/** Whether people are kept in the app, so that no dialog of the system may open. */
let isKept = false;
let isWatching = false;
/** Whether the computer has a camera, as far as pages may know. */
let hasCamera = false;
/** Inputs whose next click opens the dialog of the system. */
const passing = new WeakSet<HTMLInputElement>();

/** Keeps people in the app, or no longer: every file input that takes pictures then takes photos, and others nothing. */
export function keepFilesOut(keep: boolean): void {
  isKept = keep;
  watchFileInputs();
}

/**
 * Shows a viewfinder where the app offers to take a photo or to scan with the camera (an input with `capture`).
 *
 * - CAMERA-1 Where the app offers the camera, it shows what the camera sees. Without a camera, or a browser that shows it,
 *   the dialog of the system chooses the file, and on a phone its camera app takes the photo.
 */
export function watchFileInputs(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('click', onClick, { capture: true });
  void lookForCameras();
  navigator.mediaDevices?.addEventListener('devicechange', () => void lookForCameras());
}

async function lookForCameras(): Promise<void> {
  // Undefined at an insecure origin.
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
  hasCamera = devices?.some(({ kind }) => kind === 'videoinput') === true;
}

function onClick(event: MouseEvent): void {
  const { target } = event;
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
  if (passing.delete(target)) return;
  const takesPhotos = target.accept.includes('image/');
  if (!isKept && !(takesPhotos && target.hasAttribute('capture') && hasCamera)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (takesPhotos) void open(target);
  else showToast(cameraText.noFiles, 'danger');
}

async function open(input: HTMLInputElement): Promise<void> {
  const { Viewfinder } = await import('./viewfinder.tsx');
  const root = createRoot(document.createElement('div'));
  const close = (): void => root.unmount();
  root.render(
    <Viewfinder
      scans={input.closest('[data-scans]') !== null}
      onTake={(photo) => {
        close();
        choose(input, photo);
      }}
      onClose={close}
      {...(!isKept && {
        onChooseFile: () => {
          close();
          passing.add(input);
          input.click();
        },
      })}
    />,
  );
}

/** Chooses a file in an input, as the dialog of the system would. */
function choose(input: HTMLInputElement, file: File): void {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
