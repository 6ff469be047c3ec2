import { ChevronDown, ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';

import { ShellLead } from '../shell/shell-lead.tsx';
import styles from './editor-lead.module.css';
import type { EditorPlace } from './editor-place.ts';
import { PageList } from './page-list.tsx';
import { useEditor } from './use-editor.ts';
import type { StepMoves } from './use-step-moves.ts';

interface EditorLeadProps {
  place: EditorPlace;
  moves: StepMoves;
}

/** In the header: back to reading, the guide's name, and where the list is folded, the place in it. */
export function EditorLead({ place, moves }: EditorLeadProps) {
  const { draft } = useEditor();
  const { page } = place;
  const { title } = draft.content;
  const href = draft.isNew ? '/' : `/guides/${draft.guideid}`;
  const at = page.kind === 'step' ? `#s${encodeURIComponent(page.step.key)}` : '';
  return (
    <ShellLead>
      <div className={classNames(styles, 'lead')}>
        <Link className={classNames(styles, 'back')} href={draft.isNew ? href : `${href}${at}`}>
          <ChevronLeft aria-hidden="true" />
          <span>{draft.isNew ? text.app.library : text.editor.read}</span>
        </Link>
        <span className={classNames(styles, 'title')}>{title === '' ? text.editor.unnamed : title}</span>
        <span className={classNames(styles, 'badges')}>
          <Badge tone="accent">{draft.isNew ? text.editor.newBadge : text.editor.badge}</Badge>
          {!draft.public && !draft.isNew && <Badge>{text.editor.private}</Badge>}
        </span>
        <PageFold place={place} moves={moves} />
      </div>
    </ShellLead>
  );
}

function PageFold({ place, moves }: EditorLeadProps) {
  const { draft } = useEditor();
  const { page } = place;
  const [isOpen, setIsOpen] = useState(false);
  const names = { about: text.editor.about, conclusion: text.editor.conclusion };
  const words =
    page.kind === 'step' ? text.editor.stepOf(page.index + 1, draft.content.steps.length) : names[page.kind];
  return (
    <div className={classNames(styles, 'fold')}>
      <Button
        onPress={() => setIsOpen(true)}
        iconEnd={<ChevronDown aria-hidden="true" />}
        label={text.editor.openPages(words)}
      >
        {words}
      </Button>
      <Dialog
        title={text.editor.pages}
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        closeLabel={text.app.close}
      >
        <PageList place={place} moves={moves} onChosen={() => setIsOpen(false)} />
      </Dialog>
    </div>
  );
}
