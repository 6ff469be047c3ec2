import type { ReactNode } from 'react';

import { Card } from './card.tsx';
import { classNames } from './class-names.ts';
import styles from './code-card.module.css';
import { QrCode } from './qr-code.tsx';

interface CodeCardProps {
  title: string;
  code: string;
  /** The code as a QR code of the address where it is used. */
  qr: { text: string; label: string };
  /** How it is used, and what can be done with it. */
  children: ReactNode;
}

/** A code that is shown once: large, to be read aloud or copied, and as a QR code. */
export function CodeCard({ title, code, qr, children }: CodeCardProps) {
  return (
    <Card as="section" tone="chosen" pad="roomy">
      <div className={classNames(styles, 'frame')} role="status">
        <div className={classNames(styles, 'words')}>
          <h2>{title}</h2>
          <code className={classNames(styles, 'code')}>{code}</code>
          {children}
        </div>
        <div className={classNames(styles, 'qr')}>
          <QrCode text={qr.text} label={qr.label} />
        </div>
      </div>
    </Card>
  );
}
