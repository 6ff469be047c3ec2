import type { LeftArchive } from '#desktop/engine/api/archives.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { Row, Stack } from '#desktop/renderer/ui/layout.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLiveSoon } from '#desktop/renderer/use-live.ts';

const words = text.archives;

/** Archives that were removed from this device: the reason, and what replaces them. */
export function LeftArchives() {
  const { left = [] } = useLiveSoon('archiveNews') ?? {};
  if (left.length === 0) return null;
  return (
    <Stack>
      {left.map((one) => (
        <LeftNotice key={one.archiveid} one={one} />
      ))}
    </Stack>
  );
}

function LeftNotice({ one: { archiveid, title, name } }: { one: LeftArchive }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const offered = useLiveSoon('serverArchives') ?? [];
  const isOffered = offered.some((archive) => archive.name === name);
  const download = async (wanted: string) => {
    await actions.downloadArchive(wanted);
    await actions.dismissArchiveNews(archiveid);
  };
  return (
    <Notice
      tone="warn"
      title={words.left(title)}
      action={
        <Row>
          {name !== null && isOffered && (
            <Button isPending={busy} onPress={() => act(() => download(name))}>
              {words.leftDownload}
            </Button>
          )}
          <Button tone="quiet" onPress={() => act(() => actions.dismissArchiveNews(archiveid))}>
            {text.app.understood}
          </Button>
        </Row>
      }
    >
      {words.leftHint}
    </Notice>
  );
}
