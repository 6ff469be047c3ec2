import { FolderOpen, RefreshCw, Zap } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { barcodeIn } from '#desktop/renderer/platform/barcode-detector.ts';
import { cameraText as words } from '#desktop/renderer/text/en/camera.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { IconButton, IconToggle } from '#desktop/renderer/ui/icon-button.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { must } from '#shared/must.ts';

import { type CameraTrouble, useCamera } from './use-camera.ts';
import styles from './viewfinder.module.css';

interface ViewfinderProps {
  /** Takes the photo by itself as soon as it shows a code. */
  scans: boolean;
  onTake: (photo: File) => void;
  onClose: () => void;
  /** Missing where people are kept in the app. */
  onChooseFile?: () => void;
}

const hints: Record<CameraTrouble, string> = {
  missing: words.missingHint,
  denied: words.deniedHint,
  busy: words.busyHint,
};

/**
 * Shows what the camera sees, and takes a photo.
 *
 * - CAMERA-2 A photo is shown before it is used, and can be taken again. A code is taken as soon as the camera shows one.
 * - CAMERA-4 If the camera does not start, the viewfinder says why and what to do, and offers to try again or to choose a file.
 */
export function Viewfinder({ scans, onTake, onClose, onChooseFile }: ViewfinderProps) {
  const { act, busy } = useAsyncAction();
  const video = useRef<HTMLVideoElement>(null);
  const [taken, setTaken] = useState<{ photo: File; url: string } | null>(null);
  const { stream, trouble, switchCamera, light, tryAgain } = useCamera(taken === null);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  useEffect(() => () => URL.revokeObjectURL(taken?.url ?? ''), [taken]);
  useScan(scans && stream !== null, video, onTake);
  const take = () =>
    act(async () => {
      const photo = await photoOf(must(video.current, 'the picture'));
      setTaken({ photo, url: URL.createObjectURL(photo) });
    });
  return (
    <Dialog
      title={scans ? words.scanTitle : words.title}
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      size="medium"
      actions={
        taken !== null ? (
          <>
            <Button onPress={() => setTaken(null)}>{words.retake}</Button>
            <Button tone="primary" size="large" autoFocus onPress={() => onTake(taken.photo)}>
              {words.use}
            </Button>
          </>
        ) : (
          <>
            {onChooseFile !== undefined && (
              <IconButton
                look="bordered"
                label={words.chooseFile}
                icon={<FolderOpen aria-hidden="true" />}
                onPress={onChooseFile}
              />
            )}
            {switchCamera !== null && (
              <IconButton
                look="bordered"
                label={words.switch}
                icon={<RefreshCw aria-hidden="true" />}
                onPress={switchCamera}
              />
            )}
            {light !== null && (
              <IconToggle
                look="bordered"
                label={words.light}
                icon={<Zap aria-hidden="true" />}
                isOn={light.isOn}
                onChange={light.toggle}
              />
            )}
            {trouble !== null && <Button onPress={tryAgain}>{words.again}</Button>}
            {!scans && stream !== null && (
              <Button tone="primary" size="large" autoFocus isPending={busy} onPress={take}>
                {words.take}
              </Button>
            )}
          </>
        )
      }
    >
      {trouble !== null && (
        <Notice tone="warn" title={words[trouble]}>
          {hints[trouble]}
        </Notice>
      )}
      {taken !== null && <img className={classNames(styles, 'view')} src={taken.url} alt={words.taken} />}
      {taken === null && stream === null && trouble === null && <Loading label={words.starting} />}
      {stream !== null && (
        <video
          ref={video}
          className={classNames(styles, 'view')}
          aria-label={words.view}
          autoPlay
          playsInline
          muted
        />
      )}
      {scans && stream !== null && <p role="status">{words.scanHint}</p>}
    </Dialog>
  );
}

/** Time between two looks for a code, ms. */
const lookMs = 250;

/** Takes the photo in which the camera shows a code. */
function useScan(
  isOn: boolean,
  video: { readonly current: HTMLVideoElement | null },
  onTake: (photo: File) => void,
): void {
  const found = useRef(onTake);
  useEffect(() => {
    found.current = onTake;
  });
  useEffect(() => {
    if (!isOn) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const look = async (): Promise<void> => {
      const shown = video.current;
      if (shown !== null && shown.videoWidth > 0) {
        const photo = await photoOf(shown);
        if (!isOver && (await barcodeIn(photo)) !== null) return found.current(photo);
      }
      if (!isOver) timer = setTimeout(() => void look().catch(() => undefined), lookMs);
    };
    void look().catch(() => undefined);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [isOn, video]);
}

/** What the camera shows now, as a JPEG. */
async function photoOf(video: HTMLVideoElement): Promise<File> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  must(canvas.getContext('2d'), 'a drawing surface').drawImage(video, 0, 0);
  const photo = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new File([photo], `photo-${Date.now()}.jpg`, { type: photo.type });
}
