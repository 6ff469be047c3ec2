import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';

import { GuideLead, PlaceFold } from '../shell/guide-lead.tsx';
import { playerAddress, type EditorNavigation } from './editor-place.ts';
import { PageList } from './page-list.tsx';
import { useEditor } from './use-editor.ts';
import type { StepMoves } from './use-step-moves.ts';

interface EditorLeadProps {
  place: EditorNavigation;
  moves: StepMoves;
}

/**
 * Header of the editor: link to the player, title, and on narrow windows the button that opens the page list.
 */
export function EditorLead({ place, moves }: EditorLeadProps) {
  const { draft } = useEditor();
  const { page } = place;
  const { title, steps } = draft.content;
  const names = { about: text.editor.about, conclusion: text.editor.conclusion };
  const words = page.kind === 'step' ? text.editor.stepOf(page.index + 1, steps.length) : names[page.kind];
  const brief = page.kind === 'step' ? text.player.stepBrief(page.index + 1, steps.length) : undefined;
  return (
    <GuideLead
      back={
        draft.isNew
          ? { href: '/', name: text.app.library }
          : { href: playerAddress(draft.guideid, page), name: text.editor.read }
      }
      title={title === '' ? text.editor.unnamed : title}
      badges={
        <>
          <Badge tone="accent">{draft.isNew ? text.editor.newBadge : text.editor.badge}</Badge>
          {!draft.public && !draft.isNew && <Badge>{text.editor.private}</Badge>}
        </>
      }
      fold={
        <PlaceFold words={words} brief={brief} label={text.editor.openPages(words)} title={text.editor.pages}>
          {(onChosen) => <PageList place={place} moves={moves} onChosen={onChosen} />}
        </PlaceFold>
      }
    />
  );
}
