import { ImageOff } from 'lucide-react';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';

import type { PictureSize } from '#desktop/engine/api/records.ts';
import type { Marker } from '#shared/rules/markers.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import { classNames } from './class-names.ts';
import { MarkerOverlay } from './marker-overlay.tsx';
import styles from './picture.module.css';

interface PictureProps {
  guid: string;
  size: PictureSize;
  /** Empty if the adjacent text says the same. */
  alt: string;
  /** `cover` fills the available space; `contain` shows the whole picture as large as possible. */
  fit: 'cover' | 'contain';
  /** Of the original. Required for markers, and for layouts that follow the picture's proportions. */
  dimensions?: { width: number; height: number };
  markers?: readonly Marker[];
}

/**
 * A picture by its guid, from this device or the server, with its markers.
 *
 * - FIND-11 Where a picture cannot be loaded, there is a placeholder, never a broken image.
 */
export function Picture(props: PictureProps) {
  const { fit, dimensions } = props;
  const known = dimensions !== undefined && dimensions.width > 0 && dimensions.height > 0;
  const ratio = known ? { '--ratio': dimensions.width / dimensions.height } : {};
  return (
    <span className={classNames(styles, 'frame', fit)} style={ratio as CSSProperties}>
      <Shown {...props} />
    </span>
  );
}

function Shown({ guid, size, alt, fit, dimensions, markers = [] }: PictureProps): ReactNode {
  const url = useLiveSoon('picture', guid, size);
  // Markers are shown only after the picture has loaded.
  const [shownUrl, setShownUrl] = useState<string | null>(null);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  if (url === undefined) return null;
  if (url === null) return <Missing />;
  if (url === failedUrl) return <Unreachable onRetry={() => setFailedUrl(null)} />;
  return (
    <>
      <img
        className={classNames(styles, 'image')}
        src={url}
        alt={alt}
        loading="lazy"
        decoding="async"
        draggable={false}
        onLoad={() => setShownUrl(url)}
        onError={() => setFailedUrl(url)}
      />
      {shownUrl === url && dimensions !== undefined && markers.length > 0 && (
        <MarkerOverlay {...dimensions} markers={markers} fit={fit} />
      )}
    </>
  );
}

function Missing() {
  return (
    <span className={classNames(styles, 'missing')} role="img" aria-label={text.player.pictureMissing}>
      <ImageOff aria-hidden="true" />
    </span>
  );
}

/** A picture whose address could not be loaded: it is tried again when the server is back. */
function Unreachable({ onRetry }: { onRetry: () => void }) {
  const connection = useLiveSoon('syncState')?.connection;
  const before = useRef(connection);
  useEffect(() => {
    if (connection === 'online' && before.current !== undefined && before.current !== 'online') onRetry();
    before.current = connection;
  }, [connection, onRetry]);
  return <Missing />;
}
