import { Label, ProgressBar as AriaProgressBar } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  value: number;
  of: number;
}

export function ProgressBar({ label, value, of }: ProgressBarProps) {
  return (
    <AriaProgressBar className={classNames(styles, 'progress')} value={value} maxValue={Math.max(of, 1)}>
      {({ percentage }) => (
        <>
          <Label>{label}</Label>
          <span className={classNames(styles, 'track')}>
            <span className={classNames(styles, 'fill')} style={{ inlineSize: `${percentage ?? 0}%` }} />
          </span>
        </>
      )}
    </AriaProgressBar>
  );
}
