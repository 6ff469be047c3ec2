import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useState, type ReactNode, createContext, use } from 'react';
import { Link } from 'react-aria-components';
import { createPortal } from 'react-dom';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './guide-lead.module.css';

/** Whether the screen at this path begins the header with the title of its guide, as player and editor do. */
export function isInGuide(path: string): boolean {
  return /^\/guides\/[^/]+(\/edit)?$|^\/archives\/[^/]+\/guides\//.test(path);
}

interface GuideLeadProps {
  back: { href: string; name: string };
  title: string;
  badges: ReactNode;
  /** A `PlaceFold`, shown on narrow windows. */
  fold: ReactNode;
}

/** Header of a guide: back link, title, badges and, on narrow windows, the button that opens the page list. */
export function GuideLead({ back, title, badges, fold }: GuideLeadProps) {
  return (
    <ShellLead>
      <div className={classNames(styles, 'lead')}>
        <Link className={classNames(styles, 'back')} href={back.href} aria-label={back.name}>
          <ChevronLeft aria-hidden="true" />
          <span className={classNames(styles, 'backWords')}>{back.name}</span>
        </Link>
        <span className={classNames(styles, 'title')}>{title}</span>
        <span className={classNames(styles, 'badges')}>{badges}</span>
        <div className={classNames(styles, 'fold')}>{fold}</div>
      </div>
    </ShellLead>
  );
}

interface PlaceFoldProps {
  /** The current page. */
  words: string;
  /** The same on a phone. */
  brief?: string | undefined;
  /** A longer label for screen readers. */
  label: string | undefined;
  title: string;
  /** The page list; `onChosen` closes the dialog. */
  children: (onChosen: () => void) => ReactNode;
}

/** A button that names the current page and opens the page list. */
export function PlaceFold({ words, brief = words, label, title, children }: PlaceFoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        onPress={() => setIsOpen(true)}
        iconEnd={<ChevronDown aria-hidden="true" />}
        {...(label !== undefined && { label })}
      >
        <span className={classNames(styles, 'long')}>{words}</span>
        <span className={classNames(styles, 'brief')}>{brief}</span>
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} closeLabel={text.app.close}>
        {children(close)}
      </Dialog>
    </>
  );
}

/** The element in the header that a screen may fill, instead of navigation and search. */
export const ShellLeadContext = createContext<HTMLElement | null>(null);

/** Renders a screen's own heading into the header. */
function ShellLead({ children }: { children: ReactNode }) {
  const place = use(ShellLeadContext);
  return place === null ? null : createPortal(children, place);
}
