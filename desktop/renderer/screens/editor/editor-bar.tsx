import {
  Check,
  CloudUpload,
  Ellipsis,
  Eye,
  LoaderCircle,
  Lock,
  Redo2,
  TriangleAlert,
  Trash2,
  Undo2,
  Globe,
} from 'lucide-react';
import { useState, useSyncExternalStore } from 'react';

import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { IconButton } from '#desktop/renderer/ui/icon-button.tsx';
import { Menu, type MenuAction } from '#desktop/renderer/ui/menu.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { Toolbar } from '#desktop/renderer/ui/toolbar.tsx';
import { ActionBar } from '#desktop/renderer/ui/workplace.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';

import styles from './editor-bar.module.css';
import { playerAddress, type EditorNavigation } from './editor-place.ts';
import { OtherEditors } from './other-editors.tsx';
import { firstProblem, goToProblem } from './problems.ts';
import { useEditor } from './use-editor.ts';

interface EditorBarProps {
  place: EditorNavigation;
  onDiscard: () => Promise<void>;
}

/** Bottom bar of the editor: state of the draft at the left, actions at the right. */
export function EditorBar({ place, onDiscard }: EditorBarProps) {
  const { draft, undo, redo } = useEditor();
  return (
    <ActionBar>
      <div className={classNames(styles, 'state')}>
        <Toolbar label={text.editor.history}>
          <IconButton
            label={text.editor.undo}
            icon={<Undo2 />}
            look="bordered"
            isDisabled={!draft.canUndo}
            onPress={() => void undo()}
          />
          <IconButton
            label={text.editor.redo}
            icon={<Redo2 />}
            look="bordered"
            isDisabled={!draft.canRedo}
            onPress={() => void redo()}
          />
        </Toolbar>
        <SavedWords />
        {!draft.isNew && <OtherEditors guideid={draft.guideid} />}
        <DraftProblems place={place} />
      </div>
      <div className={classNames(styles, 'actions')}>
        <MoreActions onDiscard={onDiscard} />
        <SaveButton place={place} />
      </div>
    </ActionBar>
  );
}

function SavedWords() {
  const { draft, pendingEdits } = useEditor();
  const isTyping = useSyncExternalStore(pendingEdits.subscribe, pendingEdits.isBusy);
  const { connection } = useLive('syncState');
  const guide = useLive('guide', draft.guideid);
  const { journal } = useLive('storage');
  if (isTyping || draft.saved === 'saving') {
    if (journal === 'full')
      return (
        <p className={classNames(styles, 'saved', 'failed')} role="status">
          <TriangleAlert aria-hidden="true" /> {text.editor.diskFull}
        </p>
      );
    return (
      <p className={classNames(styles, 'saved', 'saving')} role="status">
        <LoaderCircle aria-hidden="true" /> {text.editor.saving}
      </p>
    );
  }
  const { states } = text.editor;
  const waits = connection === 'offline' ? states.queuedOffline : states.queued;
  const isQueued = guide?.editState === 'queued';
  const isContested = guide?.editState === 'conflict';
  const more = isContested
    ? states.contested
    : draft.dirty || (draft.isNew && !isQueued)
      ? states.unsaved
      : isQueued
        ? waits
        : null;
  return (
    <p className={classNames(styles, 'saved')} role="status">
      <Check aria-hidden="true" />
      <span>
        {more === null ? text.app.onTheServer : text.editor.savedHere}
        {more !== null && <span className={classNames(styles, 'more')}>{` · ${more}`}</span>}
      </span>
    </p>
  );
}

/** Problems of the draft: exceeded limits, or reasons of the server. */
function DraftProblems({ place }: { place: EditorNavigation }) {
  const { draft, problems } = useEditor();
  const guide = useLive('guide', draft.guideid);
  const first = problems[0]?.place ?? null;
  if (guide?.editState === 'conflict') return null;
  if (first !== null) {
    return (
      <Button
        onPress={() => goToProblem(first, place)}
        label={`${text.editor.broken(problems.length)}: ${text.editor.showFirst}`}
      >
        {text.editor.broken(problems.length)}
      </Button>
    );
  }
  if (guide?.editState !== 'parked') return null;
  return <ButtonLink href="/sync">{`${text.editor.refused}: ${text.editor.lookAtIt}`}</ButtonLink>;
}

function SaveButton({ place }: { place: EditorNavigation }) {
  const { draft, pendingEdits, noteSaveAttempt } = useEditor();
  const actions = useActions();
  const { connection } = useLive('syncState');
  const guide = useLive('guide', draft.guideid);
  const { act, busy } = useAsyncAction();
  const save = () => {
    noteSaveAttempt();
    const problem = firstProblem(draft, true);
    if (problem !== null) return goToProblem(problem, place);
    act(async () => {
      await pendingEdits.flush();
      await actions.saveDraft(draft.guideid);
      showToast(connection === 'offline' ? text.editor.queuedOffline : text.editor.queuedOnline);
    });
  };
  if (guide?.editState === 'conflict') {
    return (
      <ButtonLink tone="primary" size="large" href={`/sync/conflicts/${draft.guideid}`}>
        {text.editor.decide}
      </ButtonLink>
    );
  }
  if (!draft.dirty && (!draft.isNew || guide?.editState === 'queued')) {
    return (
      <ButtonLink
        size="large"
        icon={<Eye aria-hidden="true" />}
        href={playerAddress(draft.guideid, place.page)}
      >
        {text.editor.read}
      </ButtonLink>
    );
  }
  return (
    <Button
      tone="primary"
      size="large"
      icon={<CloudUpload aria-hidden="true" />}
      onPress={save}
      isPending={busy}
    >
      {text.editor.save}
    </Button>
  );
}

/** Discarding and visibility: side by side where there is room, otherwise in a menu. */
function MoreActions({ onDiscard }: { onDiscard: () => Promise<void> }) {
  const { draft } = useEditor();
  const actions = useActions();
  const { act } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const isUnderProcess = useLive('guideApproval', draft.guideid) !== null;
  const publishedWords = isUnderProcess ? text.approvals.asked : text.editor.published;
  const publish = () =>
    act(async () => {
      await actions.publish(draft.guideid, !draft.public);
      showToast(draft.public ? text.editor.unpublished : publishedWords);
    });
  const possible: (MenuAction | false)[] = [
    (draft.dirty || draft.isNew) && {
      id: 'discard',
      name: text.editor.discard,
      icon: <Trash2 aria-hidden="true" />,
      tone: 'danger',
      onAction: () => setIsAsking(true),
    },
    draft.canPublish && {
      id: 'publish',
      name: draft.public ? text.editor.unpublish : text.editor.publish,
      icon: draft.public ? <Lock aria-hidden="true" /> : <Globe aria-hidden="true" />,
      onAction: publish,
    },
  ];
  const items = possible.filter((item) => item !== false);
  return (
    <>
      <div className={classNames(styles, 'wide')}>
        {items.map(({ id, name, icon, onAction }) => (
          <Button key={id} size="large" icon={icon} {...(onAction && { onPress: onAction })}>
            {name}
          </Button>
        ))}
      </div>
      {items.length > 0 && (
        <div className={classNames(styles, 'folded')}>
          <Menu
            label={text.editor.more}
            trigger={<IconButton label={text.editor.more} icon={<Ellipsis />} look="bordered" />}
            groups={[{ id: 'more', items }]}
          />
        </div>
      )}
      <ConfirmDialog
        title={text.editor.discardTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={text.editor.discard}
        cancelLabel={text.editor.keep}
        onConfirm={() => act(onDiscard)}
      >
        {text.editor.discardBody}
      </ConfirmDialog>
    </>
  );
}
