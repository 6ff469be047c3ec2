import { useEffect, useState } from 'react';

/** Why there is no picture. */
export type CameraTrouble = 'missing' | 'denied' | 'busy';

interface Camera {
  stream: MediaStream | null;
  trouble: CameraTrouble | null;
  /** Switches to the next camera; null: there is only one. */
  switchCamera: (() => void) | null;
  /** Whether the light is on, and how to switch it; null: the camera has none that pages can switch. */
  light: { isOn: boolean; toggle: () => void } | null;
  tryAgain: () => void;
}

/** The part of the camera's abilities that TypeScript does not know: https://w3c.github.io/mediacapture-image */
interface TorchAbility {
  torch?: boolean;
}

function troubleOf(error: unknown): CameraTrouble {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'denied';
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy';
}

async function camerasOf(): Promise<string[]> {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId }) => deviceId);
}

/**
 * Opens a camera, first the one that looks away from the person, and closes it afterwards.
 *
 * - CAMERA-3 The camera is on only while the viewfinder shows what it sees.
 */
export function useCamera(isOn: boolean): Camera {
  const [deviceId, setDeviceId] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const [stream, setStream] = useState<MediaStream | null>(null);
  const [others, setOthers] = useState<readonly string[]>([]);
  const [trouble, setTrouble] = useState<CameraTrouble | null>(null);
  const [isLit, setLit] = useState(false);
  useEffect(() => {
    if (!isOn) return;
    const opening = new AbortController();
    let opened: MediaStream | null = null;
    const stop = (): void => opened?.getTracks().forEach((track) => track.stop());
    const start = async (): Promise<void> => {
      const which = deviceId === null ? { facingMode: 'environment' } : { deviceId: { exact: deviceId } };
      opened = await navigator.mediaDevices.getUserMedia({
        video: { ...which, width: { ideal: 2560 }, height: { ideal: 1440 } },
      });
      if (opening.signal.aborted) return stop();
      const all = await camerasOf();
      if (opening.signal.aborted) return;
      setOthers(all);
      setTrouble(null);
      setLit(false);
      setStream(opened);
    };
    start().catch((error: unknown) => {
      if (!opening.signal.aborted) setTrouble(troubleOf(error));
    });
    return () => {
      opening.abort();
      stop();
      setStream(null);
    };
  }, [isOn, deviceId, round]);
  const track = stream?.getVideoTracks()[0];
  const now = track?.getSettings().deviceId ?? '';
  const abilities: MediaTrackCapabilities & TorchAbility = track?.getCapabilities() ?? {};
  const setLight = async (on: boolean): Promise<void> => {
    const light: MediaTrackConstraintSet & TorchAbility = { torch: on };
    await track?.applyConstraints({ advanced: [light] });
    setLit(on);
  };
  return {
    stream,
    trouble,
    switchCamera:
      others.length < 2 ? null : () => setDeviceId(others[(others.indexOf(now) + 1) % others.length] ?? null),
    light:
      abilities.torch === true
        ? { isOn: isLit, toggle: () => void setLight(!isLit).catch(() => undefined) }
        : null,
    tryAgain: () => {
      setTrouble(null);
      setRound((before) => before + 1);
    },
  };
}
