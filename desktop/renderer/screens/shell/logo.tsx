import { Link } from 'react-aria-components';

import { appText } from '#desktop/renderer/text/en/app.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';

import styles from './logo.module.css';

/** The mark of the logo, without a link. */
export function LogoMark() {
  return (
    <svg className={classNames(styles, 'mark')} viewBox="0 0 32 32" aria-hidden="true">
      <rect className={classNames(styles, 'ground')} width="32" height="32" rx="8" />
      <path
        className={classNames(styles, 'sheet')}
        d="M8 26V13a5 5 0 0 1 5-5h13v3.4H14.4a3 3 0 0 0-3 3V26z"
      />
      <rect className={classNames(styles, 'sheet')} x="15" y="15" width="11" height="11" rx="2" />
    </svg>
  );
}

/** Link to the library. */
export function Logo() {
  return (
    <Link
      className={classNames(styles, 'logo')}
      href="/"
      aria-label={`${appText.name}: ${appText.toLibrary}`}
    >
      <LogoName />
    </Link>
  );
}

/** As `Logo`, without a link. */
export function StillLogo() {
  return (
    <span className={classNames(styles, 'logo')}>
      <LogoName />
    </span>
  );
}

function LogoName() {
  return (
    <>
      <LogoMark />
      <span className={classNames(styles, 'name')}>{appText.name}</span>
    </>
  );
}
