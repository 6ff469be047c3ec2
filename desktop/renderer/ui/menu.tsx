import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Header, Menu as AriaMenu, MenuItem, MenuSection, MenuTrigger, Popover } from 'react-aria-components';

import { classNames } from './class-names.ts';
import styles from './list-box.module.css';

export interface MenuAction {
  id: string;
  name: string;
  icon?: ReactNode;
  tone?: 'plain' | 'danger';
  onAction?: () => void;
  href?: string;
}

export interface MenuGroup {
  id: string;
  title?: string;
  /** If `chosen` is set, the items are a single choice. */
  chosen?: string;
  /** If `picked` is set, each item is on or off, and the menu stays open. */
  picked?: readonly string[];
  /** `false` stands for an unavailable action; it is left out. */
  items: readonly (MenuAction | false)[];
}

interface MenuProps {
  /** The button that opens the menu: any pressable element. */
  trigger: ReactNode;
  label: string;
  groups: readonly MenuGroup[];
}

export function Menu({ trigger, label, groups }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className={classNames(styles, 'popover')} offset={6}>
        <AriaMenu className={classNames(styles, 'list')} aria-label={label}>
          {groups.map((group) => (
            <Group key={group.id} group={group} />
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}

function Group({ group }: { group: MenuGroup }) {
  const items = group.items.filter((item) => item !== false);
  const hasChecks = group.chosen !== undefined || group.picked !== undefined;
  return (
    <MenuSection
      {...(group.title === undefined ? { 'aria-label': items.map((item) => item.name).join(', ') } : {})}
      {...(group.chosen !== undefined && { selectionMode: 'single' as const, selectedKeys: [group.chosen] })}
      {...(group.picked !== undefined && { selectionMode: 'multiple' as const, selectedKeys: group.picked })}
    >
      {group.title !== undefined && <Header className={classNames(styles, 'title')}>{group.title}</Header>}
      {items.map((item) => (
        <MenuItem
          key={item.id}
          id={item.id}
          textValue={item.name}
          className={classNames(styles, 'option', item.tone === 'danger' && 'danger')}
          {...(item.onAction && { onAction: item.onAction })}
          {...(item.href !== undefined && { href: item.href })}
        >
          {item.icon}
          <span className={classNames(styles, 'words')}>{item.name}</span>
          {hasChecks && <Check className={classNames(styles, 'check')} aria-hidden="true" />}
        </MenuItem>
      ))}
    </MenuSection>
  );
}
