import type { ReactNode } from 'react';
import { Button as AriaButton, ToggleButton, Tooltip, TooltipTrigger } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './icon-button.module.css';

interface IconButtonProps {
  /** The action; also used as the tooltip. */
  label: string;
  icon: ReactNode;
  /** `floating`: on a picture. */
  look?: 'bare' | 'bordered' | 'floating';
  onPress?: () => void;
  isDisabled?: boolean;
}

/** A button with an icon; the label is its tooltip. */
export function IconButton({ label, icon, look = 'bare', onPress, isDisabled = false }: IconButtonProps) {
  return (
    <TooltipTrigger delay={500}>
      <AriaButton
        className={classNames(styles, 'button', look)}
        aria-label={label}
        isDisabled={isDisabled}
        {...(onPress && { onPress })}
      >
        {icon}
      </AriaButton>
      <Tooltip className={classNames(styles, 'tooltip')} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}

interface IconToggleProps extends Omit<IconButtonProps, 'onPress'> {
  isOn: boolean;
  onChange: (on: boolean) => void;
}

/** A toggle button: the label names the state, not the effect of pressing. */
export function IconToggle({
  label,
  icon,
  look = 'bare',
  isOn,
  onChange,
  isDisabled = false,
}: IconToggleProps) {
  return (
    <TooltipTrigger delay={500}>
      <ToggleButton
        className={classNames(styles, 'button', look)}
        aria-label={label}
        isSelected={isOn}
        onChange={onChange}
        isDisabled={isDisabled}
      >
        {icon}
      </ToggleButton>
      <Tooltip className={classNames(styles, 'tooltip')} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
