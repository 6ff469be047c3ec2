import { useEffect, useRef, useState } from 'react';

import { text } from '#desktop/renderer/text/en.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { must } from '#shared/must.ts';

import styles from './camera-chooser.module.css';

/** Takes a photo wherever the app would open a dialog for files, which shows the files of the computer. */
export function CameraChooser() {
  const [asked, setAsked] = useState<HTMLInputElement | null>(null);
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const { target } = event;
      if (!(target instanceof HTMLInputElement) || target.type !== 'file') return;
      event.preventDefault();
      event.stopImmediatePropagation();
      if (target.accept.includes('image/')) setAsked(target);
      else showToast(stationHomeText.camera.noFiles, 'danger');
    };
    document.addEventListener('click', onClick, { capture: true });
    return () => document.removeEventListener('click', onClick, { capture: true });
  }, []);
  if (asked === null) return null;
  const take = (photo: File) => {
    choose(asked, photo);
    setAsked(null);
  };
  return <CameraDialog onTake={take} onClose={() => setAsked(null)} />;
}

/** Chooses a file in an input, as the dialog of the system would. */
function choose(input: HTMLInputElement, file: File): void {
  const files = new DataTransfer();
  files.items.add(file);
  input.files = files.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

function CameraDialog({ onTake, onClose }: { onTake: (photo: File) => void; onClose: () => void }) {
  const { act, busy } = useAsyncAction();
  const video = useRef<HTMLVideoElement>(null);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    let opened: MediaStream | null = null;
    let isGone = false;
    const stop = (): void => opened?.getTracks().forEach((track) => track.stop());
    navigator.mediaDevices
      .getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1920 } } })
      .then(
        (given) => {
          opened = given;
          if (isGone) stop();
          else setStream(given);
        },
        () => setMissing(true),
      );
    return () => {
      isGone = true;
      stop();
    };
  }, []);
  useEffect(() => {
    if (video.current !== null) video.current.srcObject = stream;
  }, [stream]);
  const { camera } = stationHomeText;
  return (
    <Dialog
      title={camera.title}
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      size="medium"
      actions={
        stream !== null && (
          <Button
            tone="primary"
            size="large"
            wide
            isPending={busy}
            onPress={() => act(async () => onTake(await photoOf(must(video.current, 'the picture'))))}
          >
            {camera.take}
          </Button>
        )
      }
    >
      {isMissing && (
        <Notice tone="warn" title={camera.missing}>
          {camera.missingHint}
        </Notice>
      )}
      {stream === null && !isMissing && <Loading label={camera.starting} />}
      {stream !== null && (
        <video ref={video} className={classNames(styles, 'video')} autoPlay playsInline muted />
      )}
    </Dialog>
  );
}

/** What the camera shows now, as a JPEG. */
async function photoOf(video: HTMLVideoElement): Promise<File> {
  const canvas = new OffscreenCanvas(video.videoWidth, video.videoHeight);
  must(canvas.getContext('2d'), 'a drawing surface').drawImage(video, 0, 0);
  const photo = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 });
  return new File([photo], `photo-${Date.now()}.jpg`, { type: photo.type });
}
