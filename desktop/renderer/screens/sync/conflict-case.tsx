import { useId, useState, type KeyboardEvent } from 'react';
import { ToggleButton } from 'react-aria-components';

import type { GuideConflicts, GuideConflictView, TextSpan } from '#desktop/engine/api/conflict-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { ActionBar, BarMoves } from '#desktop/renderer/ui/workplace.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import styles from './conflict-case.module.css';
import { mergedWords, momentWords, placeWords } from './conflict-place.ts';
import { choiceOf, firstDecision, sideText, typedDecision, type Decision, type Side } from './decision.ts';
import { ResultText } from './result-text.tsx';
import { Spans } from './spans.tsx';

interface ConflictCaseProps {
  found: GuideConflicts;
  conflict: GuideConflictView;
  number: number;
}

/** A conflict: mine, theirs, and the result. Two presses resolve it. */
export function ConflictCase({ found, conflict, number }: ConflictCaseProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [decision, setDecision] = useState<Decision>(() => firstDecision(conflict));
  const total = found.conflicts.length;
  const save = () =>
    act(() => actions.resolveConflict(found.guideid, conflict.conflictid, choiceOf(decision)));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    save();
  };
  const isLine = conflict.place.line !== undefined;
  return (
    <div className={classNames(styles, 'case')} onKeyDown={onKeyDown}>
      <div className={classNames(styles, 'scroll')}>
        <header className={classNames(styles, 'head')}>
          <p className={classNames(styles, 'over')}>{text.conflict.over(found.title, number, total)}</p>
          <h1>{placeWords(conflict)}</h1>
          <p className={classNames(styles, 'lead')}>{lead(found, conflict)}</p>
        </header>
        <Sides found={found} conflict={conflict} decision={decision} onDecide={setDecision} />
        <Merged facts={found.merged} />
      </div>
      <ActionBar>
        <p className={classNames(styles, 'history')}>{text.conflict.history}</p>
        <BarMoves>
          <ButtonLink size="large" href="/sync">
            {text.conflict.later}
          </ButtonLink>
          <Button tone="primary" size="large" onPress={save} isPending={busy}>
            {isLine ? text.conflict.saveLine : text.conflict.savePlace}
          </Button>
        </BarMoves>
      </ActionBar>
    </div>
  );
}

function lead({ theirName, merged }: GuideConflicts, { kind }: GuideConflictView): string {
  const { kinds } = text.conflict;
  const words = kind === 'words' || kind === 'value' ? kinds[kind] : kinds[kind](theirName);
  return merged.length === 0 ? words : `${words} ${text.conflict.restMerged}`;
}

interface SidesProps {
  found: GuideConflicts;
  conflict: GuideConflictView;
  decision: Decision;
  onDecide: (decision: Decision) => void;
}

function Sides({ found, conflict, decision, onDecide }: SidesProps) {
  const { theirName } = found;
  const now = useNow(60_000);
  const isTaken = (side: Side) => 'side' in decision && (decision.side === side || decision.side === 'both');
  const shown = 'side' in decision ? sideText(conflict, decision.side) : decision.text;
  return (
    <div className={classNames(styles, 'sides')}>
      <Version
        title={text.conflict.mine(momentWords(conflict.mineAt, now))}
        spans={conflict.mine}
        isChosen={isTaken('mine')}
        isDeleted={conflict.kind === 'deleted-by-me'}
      />
      <Version
        title={text.conflict.theirs(theirName, momentWords(conflict.theirsAt, now))}
        spans={conflict.theirs}
        isChosen={isTaken('theirs')}
        isDeleted={conflict.kind === 'deleted-by-them'}
      />
      <div className={classNames(styles, 'whole')}>
        <ResultText
          key={conflict.conflictid}
          conflict={conflict}
          words={shown}
          isRemoved={removes(conflict, decision)}
          {...(conflict.kind === 'words' && {
            onChange: (words: string) => onDecide(typedDecision(conflict, words)),
          })}
        />
      </div>
      <Choices conflict={conflict} theirName={theirName} decision={decision} onDecide={onDecide} />
    </div>
  );
}

function removes({ kind }: GuideConflictView, decision: Decision): boolean {
  if (!('side' in decision)) return false;
  return (
    (kind === 'deleted-by-me' && decision.side === 'mine') ||
    (kind === 'deleted-by-them' && decision.side === 'theirs')
  );
}

function Choices({
  conflict,
  theirName,
  decision,
  onDecide,
}: Omit<SidesProps, 'found'> & { theirName: string }) {
  const { kind, canKeepBoth, base } = conflict;
  const words = {
    mine:
      kind === 'deleted-by-me'
        ? text.conflict.delete
        : kind === 'deleted-by-them'
          ? text.conflict.keepMine
          : text.conflict.takeMine,
    theirs:
      kind === 'deleted-by-them'
        ? text.conflict.delete
        : kind === 'deleted-by-me'
          ? text.conflict.keepTheirs(theirName)
          : text.conflict.takeTheirs(theirName),
    both: text.conflict.takeBoth,
  };
  const sides: Side[] = canKeepBoth ? ['mine', 'theirs', 'both'] : ['mine', 'theirs'];
  return (
    <div className={classNames(styles, 'whole', 'choices')}>
      <div className={classNames(styles, 'buttons')}>
        {sides.map((side) => (
          <ToggleButton
            key={side}
            className={classNames(styles, 'choice')}
            isSelected={'side' in decision && decision.side === side}
            onChange={() => onDecide({ side })}
          >
            {words[side]}
          </ToggleButton>
        ))}
      </div>
      <p className={classNames(styles, 'before')}>
        {base === '' ? text.conflict.beforeNothing : text.conflict.before(base)}
      </p>
    </div>
  );
}

interface VersionProps {
  title: string;
  spans: readonly TextSpan[];
  isChosen: boolean;
  isDeleted: boolean;
}

function Version({ title, spans, isChosen, isDeleted }: VersionProps) {
  const heading = useId();
  const isEmpty = spans.every((span) => span.text === '');
  return (
    <section className={classNames(styles, 'version', isChosen && 'chosen')} aria-labelledby={heading}>
      <div className={classNames(styles, 'versionHead')}>
        <h2 id={heading}>{title}</h2>
        {isChosen && <Badge tone="accent">{text.conflict.chosen}</Badge>}
      </div>
      {isDeleted || isEmpty ? (
        <p className={classNames(styles, 'gone')}>
          {isDeleted ? text.conflict.deleted : text.conflict.empty}
        </p>
      ) : (
        <p className={classNames(styles, 'text')}>
          <Spans spans={spans} />
        </p>
      )}
    </section>
  );
}

/** Changes that were merged without a decision. */
function Merged({ facts }: { facts: readonly string[] }) {
  if (facts.length === 0) return null;
  return (
    <div className={classNames(styles, 'merged')}>
      <Disclosure summary={text.conflict.merged(facts.length)}>
        <ul>
          {[...new Set(facts)].map((fact) => (
            <li key={fact}>{mergedWords(fact)}</li>
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}
