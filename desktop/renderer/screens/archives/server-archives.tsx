import { CloudDownload, Download } from 'lucide-react';

import type { ArchiveCard, ServerArchive } from '#desktop/engine/views/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatSince } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useAct } from '#desktop/renderer/use-act.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import styles from './archives.module.css';

const words = text.archives;

/** What the server offers to take along; nothing while it cannot be asked. */
export function ServerArchives() {
  const offered = useLiveSoon('serverArchives') ?? null;
  const here = useLiveSoon('archives') ?? [];
  const actions = useActions();
  const { act, busy } = useAct();
  if (offered === null) return null;
  return (
    <section className={classNames(styles, 'group')} aria-labelledby="archives-server">
      <h2 id="archives-server">{words.onServer}</h2>
      <p className={classNames(styles, 'facts')}>
        {offered.length === 0 ? words.onServerNone : words.onServerHint}
      </p>
      <div>
        <Button onPress={() => act(() => actions.requestArchive({ site: true }))} isPending={busy}>
          {words.requestAll}
        </Button>
      </div>
      <ul className={classNames(styles, 'list')}>
        {offered.map((archive) => (
          <OfferedRow
            key={archive.name}
            archive={archive}
            copy={here.find(({ archiveid }) => archiveid === archive.archiveid) ?? null}
          />
        ))}
      </ul>
    </section>
  );
}

function OfferedRow({ archive, copy }: { archive: ServerArchive; copy: ArchiveCard | null }) {
  const actions = useActions();
  const { act } = useAct();
  const now = useNow();
  const { name, title, guides, bytes, madeAt } = archive;
  return (
    <li className={classNames(styles, 'row')}>
      <span className={classNames(styles, 'icon')}>
        <CloudDownload aria-hidden="true" />
      </span>
      <div className={classNames(styles, 'words')}>
        <h3 className={classNames(styles, 'title')}>{title}</h3>
        <p className={classNames(styles, 'facts')}>
          {[words.counts(guides, formatBytes(bytes)), words.madeAt(formatSince(madeAt, now))].join(' · ')}
        </p>
      </div>
      <div className={classNames(styles, 'end')}>
        {copy === null ? (
          <Button
            icon={<Download aria-hidden="true" />}
            label={`${words.download}: ${title}`}
            onPress={() => act(() => actions.downloadArchive(name))}
          >
            {words.download}
          </Button>
        ) : (
          <CopyState copy={copy} />
        )}
      </div>
    </li>
  );
}

/** How the copy on this device is: what can be done with it stands with the copy. */
function CopyState({ copy: { state, isOutdated } }: { copy: ArchiveCard }) {
  if (isOutdated) return <Badge tone="accent">{words.outdated}</Badge>;
  const isHere = state === 'ready' || state === 'reading';
  return (
    <Badge tone={isHere ? 'ok' : 'neutral'} look="dot">
      {isHere ? words.downloaded : words.states[state]}
    </Badge>
  );
}
