import { ChevronLeft, ChevronRight } from 'lucide-react';
import { createContext, use, useEffect, useRef, useState, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { Link } from 'react-aria-components';
import { useLocation } from 'wouter';

import { text } from '#desktop/renderer/text/en.ts';
import { administrationText } from '#desktop/renderer/text/en/administration.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useScreenAt } from '#desktop/renderer/use-screen-at.ts';
import { screens } from '#shared/rules/screens.ts';

import styles from './area.module.css';
import { adminSections, sectionOf } from './sections.ts';

/** Space between a focused field and the save bar, px. */
const uncoveredPx = 12;

/** The place of the save bar, below the content. */
const BarContext = createContext<HTMLElement | null>(null);

/**
 * The frame of every screen of the administration: the sections at the left, the content, and the save bar of a form. On
 * narrow windows the first screen lists the sections, and the others lead back to it.
 *
 * - ADMIN-1 Administrators find everything about the site under one entry of the navigation, in sections.
 */
export function AdminArea({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const here = sectionOf(useScreenAt(path)?.name);
  const [bar, setBar] = useState<HTMLElement | null>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const fields = content.current;
    if (fields === null || bar === null) return undefined;
    // The bar covers what the browser considers visible.
    const uncover = ({ target }: FocusEvent): void => {
      if (!(target instanceof HTMLElement) || bar.childElementCount === 0) return;
      const covered = target.getBoundingClientRect().bottom - bar.getBoundingClientRect().top;
      if (covered > -uncoveredPx) fields.closest('main')?.scrollBy(0, covered + uncoveredPx);
    };
    fields.addEventListener('focusin', uncover);
    return () => fields.removeEventListener('focusin', uncover);
  }, [bar]);
  return (
    <div className={classNames(styles, 'area', here === 'administration' && 'first')}>
      <nav className={classNames(styles, 'sections')} aria-label={administrationText.sectionsLabel}>
        {adminSections.map((group) => (
          <ul key={group[0]}>
            {group.map((section) => (
              <li key={section}>
                <Link
                  href={screens[section].path}
                  className={classNames(styles, 'section', section === here && 'here')}
                  {...(section === here && { 'aria-current': 'page' as const })}
                >
                  {administrationText.sections[section]}
                  <ChevronRight aria-hidden="true" />
                </Link>
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <div className={classNames(styles, 'content')} ref={content}>
        <BarContext value={bar}>{children}</BarContext>
      </div>
      <div className={classNames(styles, 'barPlace')} ref={setBar} />
    </div>
  );
}

/** The way back to the list of sections, on narrow windows. */
export function BackToSections() {
  return (
    <Link href={screens.administration.path} className={classNames(styles, 'back')}>
      <ChevronLeft aria-hidden="true" />
      {text.app.administration}
    </Link>
  );
}

interface SaveBarProps {
  /** Number of changes that are not saved; nothing is shown for 0. */
  changes: number;
  onSave: () => void;
  onDiscard: () => void;
  isPending: boolean;
}

/**
 * Says what is not saved, at the bottom of the window.
 *
 * - ADMIN-2 While changes are not saved, a bar with their number, "Save" and "Discard" stays visible.
 */
export function SaveBar({ changes, onSave, onDiscard, isPending }: SaveBarProps) {
  const place = use(BarContext);
  if (place === null) return null;
  const bar = changes > 0 && (
    <div className={classNames(styles, 'bar')}>
      <p role="status">{administrationText.notSaved(changes)}</p>
      <Button onPress={onDiscard} isDisabled={isPending}>
        {administrationText.discard}
      </Button>
      <Button tone="primary" onPress={onSave} isPending={isPending}>
        {administrationText.save}
      </Button>
    </div>
  );
  return createPortal(bar, place);
}
