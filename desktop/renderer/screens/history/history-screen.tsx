import { History } from 'lucide-react';
import { useCallback, useState } from 'react';

import type { GuideHistoryView, RevisionView } from '#desktop/engine/api/guide-history.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { historyText } from '#desktop/renderer/text/en/history.ts';
import { formatDate } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { EmptyState } from '#desktop/renderer/ui/empty-state.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SelectField } from '#desktop/renderer/ui/select-field.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { comparedGuide, guideDifference } from '#shared/rules/guide-difference.ts';

import { guideHref } from '../library/guide-address.ts';
import { EmptyPage } from '../shell/empty-page.tsx';
import { Page } from '../shell/page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { Difference } from './difference.tsx';
import styles from './history-screen.module.css';
import { Release } from './release-dialog.tsx';
import { RevisionList, revisionName } from './revision-list.tsx';

const words = historyText;

/** The revisions of a guide: any two side by side, to restore one, and to release the present one. */
export function HistoryScreen({ guideid }: { guideid: string }) {
  const known = useLive('guideHistory', guideid);
  if (known === null)
    return (
      <EmptyPage
        title={words.title}
        reason={words.missing}
        icon={<History />}
        wayOut={{ href: '/', words: text.app.library }}
      >
        {words.missingHint}
      </EmptyPage>
    );
  return <GuideHistory key={known.guideid} known={known} />;
}

function GuideHistory({ known }: { known: GuideHistoryView }) {
  const { guideid, onDevice, present } = known;
  const { connection } = useLive('syncState');
  const [looks, setLooks] = useState(0);
  const saved = present?.guide_revisionid ?? 0;
  const isSaved = saved !== 0;
  const read = useCallback(
    (actions: Actions) => (isSaved ? actions.guideRevisions(guideid) : Promise.resolve([])),
    [guideid, isSaved],
  );
  // Listed anew after each save.
  const fromServer = useServerValue(read, saved);
  const revisions = fromServer.value ?? onDevice;
  const isLocal = fromServer.value === null && (fromServer.failure !== null || connection === 'offline');
  const isLoading = fromServer.value === null && !isLocal;
  return (
    <Page
      title={words.titleOf(known.title)}
      actions={
        <>
          <ButtonLink href={guideHref(guideid)}>{words.toGuide}</ButtonLink>
          {known.canRelease && present !== null && (
            <Release guideid={guideid} present={present} onLook={() => setLooks((count) => count + 1)} />
          )}
        </>
      }
    >
      <div className={classNames(styles, 'content')}>
        {isLocal && (
          <Notice
            tone="info"
            title={words.offline}
            action={<Button onPress={fromServer.reload}>{words.tryAgain}</Button>}
          >
            {words.offlineHint(onDevice.length)}
          </Notice>
        )}
        {known.editState !== 'none' && <Notice tone="info" title={words.waiting} />}
        {isLoading ? (
          <Loading label={words.loadingList} />
        ) : revisions.length < 2 ? (
          !isLocal && (
            <EmptyState icon={<History />} title={words.only}>
              {words.onlyHint}
            </EmptyState>
          )
        ) : (
          <Comparison key={looks} known={known} revisions={revisions} />
        )}
      </div>
    </Page>
  );
}

interface ComparisonProps {
  known: GuideHistoryView;
  revisions: readonly RevisionView[];
}

/** Two revisions of the list, at first the newest and the one before it. */
function Comparison({ known, revisions }: ComparisonProps) {
  const [chosen, setChosen] = useState<{ older: number | null; newer: number | null }>({
    older: null,
    newer: null,
  });
  const find = (id: number | null) => revisions.find((one) => one.guide_revisionid === id);
  const newer = find(chosen.newer) ?? revisions[0];
  const older = find(chosen.older) ?? revisions.find((one) => one !== newer);
  if (newer === undefined || older === undefined) return null;
  const choices = revisions.map((one) => ({
    id: String(one.guide_revisionid),
    name: `${revisionName(one)} · ${words.by(one.author, formatDate(one.at))}`,
  }));
  const canRestore = known.canEdit && known.editState === 'none' && older !== revisions[0];
  return (
    <div className={classNames(styles, 'screen')}>
      <aside className={classNames(styles, 'side')}>
        <RevisionList
          known={known}
          revisions={revisions}
          older={older}
          newer={newer}
          onChoose={(one) =>
            setChosen(
              one.guide_revisionid > newer.guide_revisionid
                ? { older: newer.guide_revisionid, newer: one.guide_revisionid }
                : { older: one.guide_revisionid, newer: newer.guide_revisionid },
            )
          }
        />
      </aside>
      <div className={classNames(styles, 'main')}>
        <div className={classNames(styles, 'choice')}>
          <SelectField
            label={words.older}
            choices={choices}
            placeholder=""
            value={String(older.guide_revisionid)}
            onChange={(id) => setChosen({ older: Number(id), newer: newer.guide_revisionid })}
          />
          <SelectField
            label={words.newer}
            choices={choices}
            placeholder=""
            value={String(newer.guide_revisionid)}
            onChange={(id) => setChosen({ older: older.guide_revisionid, newer: Number(id) })}
          />
        </div>
        <div className={classNames(styles, 'head')}>
          <h2>{words.heading(revisionName(older), revisionName(newer))}</h2>
          {canRestore && <Restore known={known} revision={older} />}
        </div>
        {older === newer ? (
          <p>{words.same}</p>
        ) : (
          <Compared guideid={known.guideid} older={older} newer={newer} />
        )}
      </div>
    </div>
  );
}

function Compared({ guideid, older, newer }: { guideid: string; older: RevisionView; newer: RevisionView }) {
  const [before, after] = [older.guide_revisionid, newer.guide_revisionid];
  const read = useCallback(
    async (actions: Actions) => ({
      before,
      after,
      difference: guideDifference(
        comparedGuide(await actions.guideVersion(guideid, before)),
        comparedGuide(await actions.guideVersion(guideid, after)),
      ),
    }),
    [guideid, before, after],
  );
  const { value, failure, reload } = useServerValue(read);
  if (failure !== null)
    return <Notice tone="warn" title={failure} action={<Button onPress={reload}>{words.tryAgain}</Button>} />;
  if (value === null || value.before !== before || value.after !== after)
    return <Loading label={words.loading} />;
  return (
    <Difference
      difference={value.difference}
      names={{ before: revisionName(older), after: revisionName(newer) }}
    />
  );
}

/** Restores a revision. The dialog stays about the revisions for which it was opened. */
function Restore({ known, revision }: { known: GuideHistoryView; revision: RevisionView }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [asked, setAsked] = useState<{ revision: RevisionView; seen: number } | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { guideid, present } = known;
  const ask = () => {
    setAsked({ revision, seen: present?.revisionid ?? 0 });
    setIsAsking(true);
  };
  const name = revisionName(asked?.revision ?? revision);
  return (
    <>
      <Button onPress={ask} isPending={busy}>
        {words.restore(revisionName(revision))}
      </Button>
      <ConfirmDialog
        title={words.restoreTitle(name)}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={words.restore(name)}
        cancelLabel={text.app.cancel}
        tone="primary"
        onConfirm={() =>
          act(async () => {
            if (asked === null) return;
            await actions.restoreVersion(guideid, asked.revision.guide_revisionid, asked.seen);
            showToast(words.restored);
          })
        }
      >
        {words.restoreBody}
      </ConfirmDialog>
    </>
  );
}
