import { useDeferredValue, useState } from 'react';

import type { FileSum, OfflineChoice, OfflinePreview } from '#desktop/engine/api/offline-records.ts';
import type { CategoryNode } from '#desktop/engine/api/records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { offlineText as words } from '#desktop/renderer/text/en/offline.ts';
import { formatBytes, formatNumber } from '#desktop/renderer/text/format.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { CheckboxField } from '#desktop/renderer/ui/checkbox-field.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { ListField } from '#desktop/renderer/ui/list-field.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { SegmentedField } from '#desktop/renderer/ui/segmented-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

import styles from './offline.module.css';

interface OfflineDialogProps {
  choice: OfflineChoice;
  onClose: () => void;
}

/**
 * Chooses what this device keeps.
 *
 * - CARRY-10 Number of guides, size, what is still to be loaded and what will be removed are shown before the person
 *   confirms, and they cannot confirm before.
 */
export function OfflineDialog({ choice, onClose }: OfflineDialogProps) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [next, setNext] = useState(choice);
  const edit = (change: Partial<OfflineChoice>) => setNext((now) => ({ ...now, ...change }));
  const shown = useDeferredValue(JSON.stringify(next));
  const preview = useLiveSoon('offlinePreview', JSON.parse(shown) as OfflineChoice);
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      closeLabel={text.app.close}
      size="medium"
      actions={
        <>
          <span className={classNames(styles, 'footer')} role="status">
            {totalOf(preview ?? null)}
          </span>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button
            tone="primary"
            isPending={busy}
            isDisabled={preview === undefined || preview === null}
            onPress={() =>
              act(async () => {
                await actions.keepOffline(next);
                onClose();
              })
            }
          >
            {words.keep}
          </Button>
        </>
      }
    >
      <Stack gap="l">
        <SegmentedField
          look="compact"
          label={words.scope}
          segments={[
            { id: 'everything', name: words.everything },
            { id: 'some', name: words.some },
          ]}
          value={next.everything ? 'everything' : 'some'}
          onChange={(id) => edit({ everything: id === 'everything' })}
        />
        {!next.everything && <Choices choice={next} onEdit={edit} />}
        <Preview preview={preview ?? null} />
        <p className={classNames(styles, 'lead')}>{words.also}</p>
      </Stack>
    </Dialog>
  );
}

interface ChoicesProps {
  choice: OfflineChoice;
  onEdit: (change: Partial<OfflineChoice>) => void;
}

function Choices({ choice, onEdit }: ChoicesProps) {
  const categories = flat(useLiveSoon('categoryTree') ?? []);
  const { tags = [], teams = [] } = useLiveSoon('offlineOffer') ?? {};
  const nameOf = new Map(categories.map(({ title, displayTitle }) => [title, displayTitle]));
  const guides = new Map([
    ...categories.map((one) => [one.title, one.guides] as const),
    ...tags.map((one) => [one.tag, one.guides] as const),
  ]);
  const teamNames = new Map(teams.map(({ teamid, name }) => [String(teamid), name]));
  const noteOf = (id: string) => {
    const number = guides.get(id);
    return number === undefined ? undefined : words.guides(number);
  };
  return (
    <>
      <CheckboxField
        label={words.favorites}
        value={choice.favorites}
        onChange={(favorites) => onEdit({ favorites })}
      />
      <ListField
        label={words.category.label}
        words={words.category}
        value={choice.categories}
        onChange={(value) => onEdit({ categories: value })}
        nameOf={(title) => nameOf.get(title) ?? title}
        noteOf={noteOf}
        choices={categories.map(({ title, displayTitle, guides: number }) => ({
          id: title,
          name: displayTitle,
          note: words.guides(number),
        }))}
      />
      {(tags.length > 0 || choice.tags.length > 0) && (
        <ListField
          label={words.tag.label}
          words={words.tag}
          value={choice.tags}
          onChange={(value) => onEdit({ tags: value })}
          noteOf={noteOf}
          choices={tags.map(({ tag, guides: number }) => ({
            id: tag,
            name: tag,
            note: words.guides(number),
          }))}
        />
      )}
      {(teams.length > 0 || choice.teams.length > 0) && (
        <ListField
          label={words.team.label}
          words={words.team}
          value={choice.teams.map(String)}
          onChange={(value) => onEdit({ teams: value.map(Number) })}
          nameOf={(id) => teamNames.get(id) ?? id}
          choices={teams.map(({ teamid, name }) => ({ id: String(teamid), name }))}
        />
      )}
    </>
  );
}

function Preview({ preview }: { preview: OfflinePreview | null }) {
  return (
    <section className={classNames(styles, 'preview')} aria-label={words.preview}>
      {preview !== null && <Meaning {...preview} />}
    </section>
  );
}

const kinds = ['pictures', 'documents', 'videos'] as const;

function Meaning(preview: OfflinePreview) {
  const { prerequisites, others, toLoad, toRemove, free, isComplete } = preview;
  return (
    <>
      <h3>{words.preview}</h3>
      {prerequisites + others > 0 && (
        <p className={classNames(styles, 'lead')}>
          {[
            ...(prerequisites > 0 ? [words.prerequisites(prerequisites)] : []),
            ...(others > 0 ? [words.others(others)] : []),
          ].join(' · ')}
        </p>
      )}
      <dl className={classNames(styles, 'sums')}>
        {kinds
          .filter((kind) => preview[kind].count > 0)
          .map((kind) => (
            <Sum
              key={kind}
              name={words.ofKind[kind](formatNumber(preview[kind].count))}
              size={sizeOf(preview[kind])}
            />
          ))}
        <Sum name={words.toLoad} size={sizeOf(toLoad)} />
        {toRemove !== null && toRemove.count > 0 && <Sum name={words.toRemove} size={sizeOf(toRemove)} />}
        {free !== null && <Sum name={words.free} size={formatBytes(free)} />}
      </dl>
      {toRemove === null && (
        <p className={classNames(styles, 'lead')}>{isComplete ? words.mayStay : words.incomplete}</p>
      )}
      {free !== null && toLoad.bytes > free && <Notice tone="warn" title={words.tooMuch} />}
    </>
  );
}

function totalOf(preview: OfflinePreview | null): string {
  if (preview === null) return words.counting;
  return `${words.guides(preview.guides)} · ${sizeOf(kinds.map((kind) => preview[kind]).reduce(sum))}`;
}

function Sum({ name, size }: { name: string; size: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{size}</dd>
    </div>
  );
}

function sum(a: FileSum, b: FileSum): FileSum {
  return {
    count: a.count + b.count,
    bytes: a.bytes + b.bytes,
    isEstimate: a.isEstimate || b.isEstimate,
  };
}

function sizeOf({ bytes, isEstimate }: FileSum): string {
  return words.size(formatBytes(bytes), isEstimate);
}

function flat(nodes: readonly CategoryNode[]): CategoryNode[] {
  return nodes.filter(({ guides }) => guides > 0).flatMap((node) => [node, ...flat(node.children)]);
}
