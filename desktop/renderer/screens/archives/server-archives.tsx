import { CloudCog, CloudDownload, Download } from 'lucide-react';

import type { ArchiveCard, ServerArchive } from '#desktop/engine/api/archive-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { formatBytes, formatSince } from '#desktop/renderer/text/format.ts';
import { refusedWords } from '#desktop/renderer/text/language.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Section } from '#desktop/renderer/ui/section.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

const words = text.archives;

/** Archives that the server offers; nothing while it cannot be reached. */
export function ServerArchives() {
  const offered = useLiveSoon('serverArchives') ?? null;
  const coming = useLiveSoon('comingArchives') ?? [];
  const here = useLiveSoon('archives') ?? [];
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  if (offered === null) return null;
  return (
    <Section title={words.onServer}>
      <Note>{offered.length + coming.length === 0 ? words.onServerNone : words.onServerHint}</Note>
      <div>
        <Button onPress={() => act(() => actions.requestArchive({ site: true }))} isPending={busy}>
          {words.requestAll}
        </Button>
      </div>
      <RowList>
        {offered.map((archive) => (
          <OfferedRow
            key={archive.name}
            archive={archive}
            copy={here.find(({ archiveid }) => archiveid === archive.archiveid) ?? null}
          />
        ))}
        {coming.map(({ name, title, problem }) => (
          <ListRow key={name} icon={<CloudCog />}>
            <RowTitle as="heading">{title}</RowTitle>
            <Note>{problem === null ? words.beingMade : refusedWords(problem)}</Note>
          </ListRow>
        ))}
      </RowList>
    </Section>
  );
}

function OfferedRow({ archive, copy }: { archive: ServerArchive; copy: ArchiveCard | null }) {
  const actions = useActions();
  const { act } = useAsyncAction();
  const now = useNow();
  const { name, title, guides, bytes, madeAt } = archive;
  return (
    <ListRow
      icon={<CloudDownload />}
      end={
        copy === null ? (
          <Button
            icon={<Download aria-hidden="true" />}
            label={`${words.download}: ${title}`}
            onPress={() => act(() => actions.downloadArchive(name))}
          >
            {words.download}
          </Button>
        ) : (
          <CopyState copy={copy} />
        )
      }
    >
      <RowTitle as="heading">{title}</RowTitle>
      <Note>
        {[words.counts(guides, formatBytes(bytes)), words.madeAt(formatSince(madeAt, now))].join(' · ')}
      </Note>
    </ListRow>
  );
}

/** The state of the copy on this device. */
function CopyState({ copy: { state, isOutdated } }: { copy: ArchiveCard }) {
  if (isOutdated) return <Badge tone="accent">{words.outdated}</Badge>;
  const isHere = state === 'ready' || state === 'reading';
  return (
    <Badge tone={isHere ? 'ok' : 'neutral'} look="dot">
      {isHere ? words.downloaded : words.states[state]}
    </Badge>
  );
}
