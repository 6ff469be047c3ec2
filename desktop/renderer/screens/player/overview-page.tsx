import { Download, Pencil, Star } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { pinnedGuideId } from '#desktop/engine/features/records/pinned-releases.ts';
import type { PlayableGuide, WorkOrder } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { difficultyName, formatSince, formatTimeRequired } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { IconToggle } from '#desktop/renderer/ui/icon-button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { Cover, Facts, Panel, PanelList, panelItem, WithSide } from '#desktop/renderer/ui/panel.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { RichHtml } from '#desktop/renderer/ui/rich-html.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { ApprovalPanel } from '../approvals/approval-panel.tsx';
import { ExportMenu } from '../archives/export-menu.tsx';
import { DifficultyDots } from '#desktop/renderer/screens/library/guide-facts.tsx';
import { guideHref } from '../library/guide-address.ts';
import { ReadinessBadge } from '../library/readiness-badge.tsx';
import { PlannedNote } from '../planned/planned-note.tsx';
import { Tags } from '../pages/tags.tsx';
import { revisionHref } from '../work-orders/number-link.tsx';
import { revisionName } from '../work-orders/revision-words.ts';
import { NotKept } from './not-kept.tsx';
import {
  ArchiveNote,
  HandoverNote,
  ReleaseNote,
  SuspendedOrders,
  ArchivedSignatures,
} from './overview-notes.tsx';
import { Comments } from './comments.tsx';
import { DocumentItem } from './document-item.tsx';
import { GuideQuizzes } from './guide-quizzes.tsx';
import { Preparation } from './preparation.tsx';
import styles from './overview-page.module.css';

/** The first page of the player: summary, facts, and what is needed. */
export function OverviewPage({
  guide,
  order,
  suspended,
}: {
  guide: PlayableGuide;
  /** The person's open work order on this guide. */
  order: WorkOrder | null;
  suspended: readonly WorkOrder[];
}) {
  const now = useNow();
  return (
    <div className={classNames(styles, 'overview')}>
      <WithSide side={<Side guide={guide} />}>
        {guide.imageGuid !== null && (
          <Cover>
            <Picture guid={guide.imageGuid} size="large" alt="" fit="cover" />
          </Cover>
        )}
        <div className={classNames(styles, 'head')}>
          <h1>{guide.title}</h1>
          {guide.summary !== '' && <p className={classNames(styles, 'summary')}>{guide.summary}</p>}
          <p className={classNames(styles, 'byline')}>
            {text.player.by(guide.author, formatSince(guide.modifiedAt, now))}
          </p>
        </div>
        <EditNotice guide={guide} />
        <NotKept guide={guide} />
        {order !== null && <HandoverNote order={order} />}
        {order !== null && <PlannedNote order={order} />}
        <SuspendedOrders orders={suspended} />
        <ActionsOrNote guide={guide} />
        {guide.introductionHtml !== '' && <RichHtml html={guide.introductionHtml} size="line" />}
        <Preparation guide={guide} />
        {guide.archive === null && (
          <Comments context="guide" contextid={guide.guideid} comments={guide.comments} />
        )}
      </WithSide>
    </div>
  );
}

/** The actions for a guide, or a notice where it is read-only. */
function ActionsOrNote({ guide }: { guide: PlayableGuide }) {
  if (guide.archive !== null) return <ArchiveNote archive={guide.archive} />;
  if (guide.release !== null) return <ReleaseNote guideid={guide.guideid} release={guide.release} />;
  return <GuideActions guide={guide} />;
}

function Side({ guide }: { guide: PlayableGuide }) {
  return (
    <>
      <Facts facts={factsOf(guide)} />
      {guide.archive === null && <ApprovalPanel guideid={approvalIdOf(guide)} />}
      {guide.archive === null && guide.release === null && (
        <Panel title={text.player.history}>
          <PanelList>
            <li>
              <Link className={panelItem} href={`${guideHref(guide.guideid)}/history`}>
                {text.player.showRevisions}
              </Link>
            </li>
          </PanelList>
        </Panel>
      )}
      {guide.archive !== null && <ArchivedSignatures archive={guide.archive} />}
      {(guide.archive === null || guide.tags.length > 0) && <GuideTags guide={guide} />}
      {guide.archive === null && <GuideQuizzes guideid={guide.guideid} />}
      {guide.documents.length > 0 && (
        <Panel title={text.player.documents}>
          <PanelList>
            {guide.documents.map((document) => (
              <DocumentItem key={document.guid} document={document} />
            ))}
          </PanelList>
        </Panel>
      )}
    </>
  );
}

/** A release has its own signatures. */
function approvalIdOf({ guideid, release }: PlayableGuide): string {
  return release === null ? guideid : pinnedGuideId(guideid, release.by.guideid);
}

function GuideTags({ guide }: { guide: PlayableGuide }) {
  const actions = useActions();
  return (
    <Tags
      key={guide.guideid}
      tags={guide.tags}
      canTag={guide.canTag}
      onTag={(tag, on) => actions.tagGuide(guide.guideid, tag, on)}
    />
  );
}

function factsOf(guide: PlayableGuide): (readonly [string, ReactNode])[] {
  return [
    [
      text.player.difficulty,
      guide.difficulty === '' ? null : (
        <>
          <DifficultyDots difficulty={guide.difficulty} /> {difficultyName(guide.difficulty)}
        </>
      ),
    ],
    [text.player.time, formatTimeRequired(guide.timeRequired)],
    [text.player.stepList, guide.steps.length],
    [text.revisions.title, revisionFact(guide)],
    [text.player.offline, <ReadinessBadge key="readiness" readiness={guide.readiness} />],
    [text.player.visibility, guide.public ? null : <Badge key="private">{text.library.private}</Badge>],
  ];
}

/** The revision, which leads to the orders that were worked by it. */
function revisionFact({ guideid, revision, archive, release }: PlayableGuide): ReactNode {
  if (archive !== null || release !== null || revision?.counted === undefined) return null;
  return (
    <span>
      <Link href={revisionHref(guideid, revision.counted.number)}>{revisionName(revision)}</Link>
    </span>
  );
}

function GuideActions({ guide }: { guide: PlayableGuide }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  return (
    <div className={classNames(styles, 'actions')}>
      <IconToggle
        look="bordered"
        label={text.player.favorite}
        icon={<Star />}
        isOn={guide.favorite}
        onChange={(on) => act(() => actions.favorite(guide.guideid, on))}
      />
      {guide.readiness.state === 'missing' && (
        <Button
          icon={<Download aria-hidden="true" />}
          onPress={() => act(() => actions.downloadGuides([guide.guideid]))}
          isPending={busy}
        >
          {text.player.download}
        </Button>
      )}
      <ExportMenu choice={{ guideids: [guide.guideid] }} offersPage />
      {guide.canEdit && (
        <ButtonLink icon={<Pencil aria-hidden="true" />} href={`/guides/${guide.guideid}/edit`}>
          {text.player.edit}
        </ButtonLink>
      )}
    </div>
  );
}

/** Edits of this person that are not on the server yet. */
function EditNotice({ guide }: { guide: PlayableGuide }) {
  const words = text.player.editStates[guide.editState];
  switch (guide.editState) {
    case 'none':
      return null;
    case 'draft':
      return (
        <Notice
          tone="info"
          title={words}
          action={
            <ButtonLink href={`/guides/${guide.guideid}/edit`}>{text.player.continueEditing}</ButtonLink>
          }
        />
      );
    case 'queued':
      return <Notice tone="info" title={words} />;
    case 'conflict':
      return (
        <Notice
          tone="warn"
          title={words}
          action={<ButtonLink href={`/sync/conflicts/${guide.guideid}`}>{text.player.decide}</ButtonLink>}
        />
      );
    case 'parked':
      return (
        <Notice
          tone="warn"
          title={words}
          action={<ButtonLink href="/sync">{text.player.lookAtIt}</ButtonLink>}
        />
      );
    default:
      return guide.editState satisfies never;
  }
}
