import { useState } from 'react';

import type { KeptRecord } from '#desktop/engine/api/sync-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { saveFile } from '#desktop/renderer/platform/save-file.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatSince } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Disclosure } from '#desktop/renderer/ui/disclosure.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { fieldName } from './activity-words.ts';
import styles from './kept-words.module.css';

const words = text.sync.kept;

/** Quarantined text: what the person wrote in guides and pages that they may no longer see. */
export function KeptWords() {
  const kept = useLive('keptWords');
  if (kept.length === 0) return null;
  return (
    <section className={classNames(styles, 'kept')} aria-label={words.title}>
      <ul>
        {kept.map((record) => (
          <li key={record.id}>
            <Kept record={record} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Kept({ record }: { record: KeptRecord }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const now = useNow();
  const [isDiscarding, setIsDiscarding] = useState(false);
  const name = nameOf(record);
  const isUnreadable = record.guideid === null && record.wikiid === null;
  const discard = () =>
    act(async () => {
      await actions.discardKept(record.id);
      showToast(text.sync.discarded);
    });
  return (
    <article className={classNames(styles, 'record')}>
      <h2>{isUnreadable ? words.unreadable : record.isHere ? words.here(name) : words.gone(name)}</h2>
      <p className={classNames(styles, 'hint')}>
        {isUnreadable
          ? words.unreadableHint
          : `${record.isHere ? words.hereHint : words.goneHint} · ${formatSince(record.at, now)}`}
      </p>
      {!isUnreadable && (
        <Disclosure
          summary={words.texts(record.words.length)}
          label={`${words.texts(record.words.length)}: ${name}`}
        >
          <dl className={classNames(styles, 'words')}>
            {record.words.map(({ kind, field, text: written }, index) => (
              // Texts have no ids; their order is fixed.
              // oxlint-disable-next-line react/no-array-index-key
              <div key={index}>
                <dt>{placeOf(kind, field)}</dt>
                <dd>{written}</dd>
              </div>
            ))}
          </dl>
        </Disclosure>
      )}
      <div className={classNames(styles, 'actions')}>
        {record.isHere && record.guideid !== null && (
          <ButtonLink tone="primary" href={`/guides/${encodeURIComponent(record.guideid)}`}>
            {text.sync.openGuide}
          </ButtonLink>
        )}
        <Button
          onPress={() => act(async () => saveFile(await actions.exportKept(record.id)))}
          isPending={busy}
          label={`${text.sync.export}: ${name}`}
        >
          {text.sync.export}
        </Button>
        <Button onPress={() => setIsDiscarding(true)} label={`${text.sync.discard}: ${name}`}>
          {text.sync.discard}
        </Button>
      </div>
      <ConfirmDialog
        title={words.discardTitle(name)}
        isOpen={isDiscarding}
        onClose={() => setIsDiscarding(false)}
        confirmLabel={text.sync.discard}
        cancelLabel={text.sync.keep}
        onConfirm={discard}
      >
        {text.sync.discardBody}
      </ConfirmDialog>
    </article>
  );
}

function nameOf({ guideid, wikiid }: KeptRecord): string {
  if (guideid !== null) return words.guide(guideid);
  return wikiid === null ? words.unreadable : words.page(wikiid);
}

function placeOf(kind: KeptRecord['words'][number]['kind'], field: string): string {
  const part = words.parts[kind];
  if (kind === 'comment' || field === '') return part;
  const name = fieldName(field);
  return kind === 'field' ? name.charAt(0).toUpperCase() + name.slice(1) : `${part}, ${name}`;
}
