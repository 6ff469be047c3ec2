import type { ReactNode } from 'react';
import { Button as AriaButton, Link as AriaLink } from 'react-aria-components';

import styles from './button.module.css';
import { classNames } from './class-names.ts';

export type ButtonTone = 'primary' | 'plain' | 'quiet' | 'danger';

interface Look {
  tone?: ButtonTone;
  /** `large`: the primary action of a screen. */
  size?: 'normal' | 'large';
  icon?: ReactNode;
  iconEnd?: ReactNode;
  /** Takes the full width. */
  wide?: boolean;
  children: ReactNode;
}

interface ButtonProps extends Look {
  onPress?: () => void;
  type?: 'button' | 'submit';
  isDisabled?: boolean;
  /** The action is running; the button keeps its size and focus. */
  isPending?: boolean;
  autoFocus?: boolean;
  /** A longer name for screen readers; it must begin with the visible words. */
  label?: string;
}

function Content({ icon, iconEnd, children }: Look) {
  return (
    <>
      {icon}
      <span>{children}</span>
      {iconEnd}
    </>
  );
}

function lookClass({ tone = 'plain', size = 'normal', wide = false }: Look): string {
  return classNames(styles, 'button', tone, size, wide && 'wide');
}

export function Button({
  type = 'button',
  isDisabled = false,
  isPending = false,
  autoFocus = false,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton
      className={lookClass(rest)}
      type={type}
      isDisabled={isDisabled}
      isPending={isPending}
      autoFocus={autoFocus}
      {...(rest.label !== undefined && { 'aria-label': rest.label })}
      {...(rest.onPress && { onPress: rest.onPress })}
    >
      <Content {...rest} />
    </AriaButton>
  );
}

/** A link that looks like a button. */
export function ButtonLink({
  href,
  isExternal = false,
  ...look
}: Look & { href: string; isExternal?: boolean }) {
  return (
    <AriaLink
      className={lookClass(look)}
      href={href}
      {...(isExternal && { target: '_blank', rel: 'noreferrer' })}
    >
      <Content {...look} />
    </AriaLink>
  );
}
