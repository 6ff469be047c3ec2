import { useMemo } from 'react';

import { qrPath } from '#shared/formats/print/qr-code.ts';

import { classNames } from './class-names.ts';
import styles from './qr-code.module.css';

/** The QR code of a text, in black on white in every theme; nothing if the text is too long for one. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const drawn = useMemo(() => qrPath(text), [text]);
  if (drawn === null) return null;
  const { side, path } = drawn;
  return (
    <svg
      className={classNames(styles, 'code')}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path className={classNames(styles, 'light')} d={`M0 0h${side}v${side}h-${side}z`} />
      <path className={classNames(styles, 'dark')} d={path} />
    </svg>
  );
}
