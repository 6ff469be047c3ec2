import {
  ArrowRight,
  BookOpen,
  ClipboardList,
  FileText,
  Folder,
  QrCode,
  ScanSearch,
  Search,
} from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';

import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';

import styles from './palette.module.css';
import type { Target, TargetKind } from './use-results.ts';

const icons: Record<TargetKind, ReactNode> = {
  guide: <BookOpen aria-hidden="true" />,
  order: <ClipboardList aria-hidden="true" />,
  category: <Folder aria-hidden="true" />,
  page: <FileText aria-hidden="true" />,
  screen: <ArrowRight aria-hidden="true" />,
  number: <ScanSearch aria-hidden="true" />,
  search: <Search aria-hidden="true" />,
  code: <QrCode aria-hidden="true" />,
};

interface TargetOptionProps {
  id: string;
  target: Target;
  isActive: boolean;
  onHover: () => void;
  onChoose: () => void;
}

/** A row of the list. The focus stays in the field, which names the active row. */
export function TargetOption({ id, target, isActive, onHover, onChoose }: TargetOptionProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  const { kind, name, note = '', imageGuid = null } = target;
  return (
    // The keys are those of the field.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={row}
      className={classNames(styles, 'option', isActive && 'active')}
      id={id}
      role="option"
      aria-selected={isActive}
      tabIndex={-1}
      onPointerMove={isActive ? undefined : onHover}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <span className={classNames(styles, 'picture')}>
        {imageGuid === null ? icons[kind] : <Picture guid={imageGuid} size="thumbnail" alt="" fit="cover" />}
      </span>
      <span className={classNames(styles, 'name')}>{name}</span>
      {note !== '' && <span className={classNames(styles, 'note')}>{note}</span>}
    </div>
  );
}
