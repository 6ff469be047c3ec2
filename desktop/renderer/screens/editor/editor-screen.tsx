import { LockKeyhole, PencilOff } from 'lucide-react';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';

import type { DraftState } from '#desktop/engine/api/records.ts';
import { canCreateGuides } from '#desktop/engine/features/records/guide-access.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Workplace } from '#desktop/renderer/ui/workplace.tsx';
import { errorMessage } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import { EmptyPage } from '../shell/empty-page.tsx';
import { LeftGuide, useHasLeft } from '../shell/left-guide.tsx';
import { AboutPage, ConclusionPage } from './about-page.tsx';
import { EditorBar } from './editor-bar.tsx';
import { EditorLead } from './editor-lead.tsx';
import { useEditorNavigation } from './editor-place.ts';
import styles from './editor-screen.module.css';
import { PageList } from './page-list.tsx';
import { RemovedStep } from './removed-step.tsx';
import { StepPage } from './step-page.tsx';
import { EditorContext, useEditor, useNewEditor, useLatest, type Editor } from './use-editor.ts';
import { useStepMoves } from './use-step-moves.ts';

/** The editor, laid out like the player. The guideid `new` creates a guide. */
export function EditorScreen({ guideid }: { guideid: string }) {
  const { user } = useLive('session');
  if (guideid === 'new' && !canCreateGuides(user)) return <NotAllowed href="/" />;
  return guideid === 'new' ? <NewGuide /> : <OneGuide key={guideid} guideid={guideid} />;
}

function NewGuide() {
  const actions = useActions();
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const began = useRef(false);
  useEffect(() => {
    if (began.current) return;
    began.current = true;
    actions.openDraft(null).then(
      (made) => navigate(`/guides/${made}/edit`, { replace: true }),
      (error: unknown) => setFailure(errorMessage(error)),
    );
  }, [actions, navigate]);
  return failure === null ? <Loading label={text.editor.opening} /> : <NotOpened words={failure} />;
}

/**
 * The editor of one guide.
 *
 * - FIRST-6 Whoever signs in at the address of an editor, on a device that does not have the guide yet, edits it as soon
 *   as it arrives.
 */
function OneGuide({ guideid }: { guideid: string }) {
  const draft = useLive('draft', guideid);
  const guide = useLive('guide', guideid);
  const actions = useActions();
  const [, navigate] = useLocation();
  const [failure, setFailure] = useState<string | null>(null);
  const isLeaving = useRef(false);
  const mayEdit = guide?.canEdit ?? true;
  const isClosed = draft === null;
  const hasLeft = useHasLeft(guideid, guide);
  const isHere = guide !== null;
  useEffect(() => {
    if (!isClosed || !mayEdit || hasLeft || isLeaving.current) return;
    actions.openDraft(guideid).then(
      () => setFailure(null),
      (error: unknown) => setFailure(errorMessage(error)),
    );
  }, [actions, guideid, hasLeft, isClosed, isHere, mayEdit]);

  /** When the guide gets its number, the address changes to it. */
  const realId = draft?.guideid ?? guideid;
  useEffect(() => {
    if (realId !== guideid) navigate(`/guides/${realId}/edit${location.hash}`, { replace: true });
  }, [realId, guideid, navigate]);

  if (!mayEdit) return <NotAllowed href={`/guides/${guideid}`} />;
  if (draft === null) {
    if (hasLeft) return <LeftGuide guideid={guideid} />;
    return failure === null ? <Loading label={text.editor.opening} /> : <NotOpened words={failure} />;
  }
  const discard = async () => {
    isLeaving.current = true;
    navigate(guide === null || draft.isNew ? '/' : `/guides/${guideid}`);
    await actions.discardDraft(draft.guideid);
  };
  return <DraftEditor draft={draft} onDiscard={discard} />;
}

function DraftEditor({ draft, onDiscard }: { draft: DraftState; onDiscard: () => Promise<void> }) {
  const editor = useNewEditor(draft);
  const place = useEditorNavigation(draft.content, editor.content);
  const moves = useStepMoves(editor, place);
  useEditorKeys(editor);
  const { page } = place;
  const name = draft.content.title === '' ? text.editor.unnamed : draft.content.title;
  return (
    <EditorContext value={editor}>
      <title>{text.app.title(text.editor.title(name))}</title>
      <EditorLead place={place} moves={moves} />
      <Workplace
        list={<PageList place={place} moves={moves} />}
        bar={
          <>
            <RemovedStep moves={moves} />
            <EditorBar place={place} onDiscard={onDiscard} />
          </>
        }
      >
        <ConflictNotice />
        <Suspense fallback={null}>
          {page.kind === 'about' && <AboutPage />}
          {page.kind === 'step' && (
            <StepPage key={page.step.key} index={page.index} step={page.step} moves={moves} />
          )}
          {page.kind === 'conclusion' && <ConclusionPage />}
        </Suspense>
      </Workplace>
    </EditorContext>
  );
}

/** Notice during an unresolved conflict. The draft is then the merged version, and cannot be saved. */
function ConflictNotice() {
  const { draft } = useEditor();
  const guide = useLive('guide', draft.guideid);
  if (guide?.editState !== 'conflict') return null;
  return (
    <div className={classNames(styles, 'contested')}>
      <Notice tone="warn" title={text.editor.waitsForDecision}>
        {text.editor.waitsForDecisionHint}
      </Notice>
    </div>
  );
}

function NotOpened({ words }: { words: string }) {
  return (
    <EmptyPage
      title={text.editor.cannotOpen}
      icon={<PencilOff />}
      wayOut={{ href: '/', words: text.app.toLibrary }}
    >
      {words}
    </EmptyPage>
  );
}

function NotAllowed({ href }: { href: string }) {
  return (
    <EmptyPage
      title={text.editor.cannotEdit}
      icon={<LockKeyhole />}
      wayOut={{ href: href, words: text.app.back }}
    >
      {text.editor.cannotEditHint}
    </EmptyPage>
  );
}

/**
 * Undo and redo: Ctrl or Cmd with Z, Shift+Z or Y, also inside fields, because the draft's history is longer than
 * that of a field.
 */
function useEditorKeys(editor: Editor): void {
  const latest = useLatest(editor);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.target instanceof Element && event.target.closest('[role="dialog"]')) return;
      const key = event.key.toLowerCase();
      const isUndo = key === 'z' && !event.shiftKey;
      const isRedo = (key === 'z' && event.shiftKey) || key === 'y';
      if (!isUndo && !isRedo) return;
      event.preventDefault();
      void (isUndo ? latest.current.undo() : latest.current.redo());
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => document.removeEventListener('keydown', onKey, { capture: true });
  }, [latest]);
}
