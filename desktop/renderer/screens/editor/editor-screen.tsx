import { PencilLine } from 'lucide-react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { Page } from '../shell/page.tsx';

/** The draft of a guide: what limits it breaks, and saving it. */
export function EditorScreen({ guideid }: { guideid: string }) {
  const draft = useLive('draft', guideid);
  const actions = useActions();
  const { act, busy } = useAct();
  const read = <ButtonLink href={`/guides/${guideid}`}>{text.editor.read}</ButtonLink>;
  if (draft === null) {
    return (
      <Page title={text.editor.noDraft} hideTitle>
        <EmptyState
          icon={<PencilLine />}
          title={text.editor.noDraft}
          action={
            <>
              <Button tone="primary" onPress={() => act(() => actions.openDraft(guideid))} isPending={busy}>
                {text.editor.openDraft}
              </Button>
              {read}
            </>
          }
        >
          {text.editor.noDraftHint}
        </EmptyState>
      </Page>
    );
  }
  return (
    <Page
      title={text.editor.title(draft.content.title)}
      lead={text.app.savedOnDevice}
      actions={
        <>
          {read}
          <Button tone="primary" onPress={() => act(() => actions.saveDraft(guideid))} isPending={busy}>
            {text.editor.save}
          </Button>
        </>
      }
    >
      {draft.problems.length > 0 && (
        <section>
          <h2>{text.editor.problems}</h2>
          <ul>
            {draft.problems.map((problem) => (
              <li key={`${problem.place} ${problem.message}`}>{problem.message}</li>
            ))}
          </ul>
        </section>
      )}
    </Page>
  );
}
