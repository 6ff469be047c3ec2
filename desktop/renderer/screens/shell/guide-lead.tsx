import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useState, type ReactNode, createContext, use } from 'react';
import { Link } from 'react-aria-components';
import { createPortal } from 'react-dom';

import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import styles from './guide-lead.module.css';

interface GuideLeadProps {
  back: { href: string; name: string };
  title: string;
  badges: ReactNode;
  /** A `PlaceFold`. */
  fold: ReactNode;
}

/** In the header: the way back, the guide's name, and where the list of places is folded, the place in it. */
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
  /** Where one is. */
  words: string;
  /** What the button says it does, where that is more than where one is. */
  label: string | undefined;
  title: string;
  /** The list of places; `onChosen` closes it. */
  children: (onChosen: () => void) => ReactNode;
}

/** The list of places behind a button that says where one is. */
export function PlaceFold({ words, label, title, children }: PlaceFoldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button
        onPress={() => setIsOpen(true)}
        iconEnd={<ChevronDown aria-hidden="true" />}
        {...(label !== undefined && { label })}
      >
        {words}
      </Button>
      <Dialog title={title} isOpen={isOpen} onClose={close} closeLabel={text.app.close}>
        {children(close)}
      </Dialog>
    </>
  );
}

/** The place in the header that a screen may fill, instead of navigation and search. */
export const ShellLeadContext = createContext<HTMLElement | null>(null);

/** Puts a screen's own heading into the header. */
function ShellLead({ children }: { children: ReactNode }) {
  const place = use(ShellLeadContext);
  return place === null ? null : createPortal(children, place);
}
