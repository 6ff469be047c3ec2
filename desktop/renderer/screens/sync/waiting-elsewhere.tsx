import type { WaitingElsewhere } from '#desktop/engine/api/sync-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';

/** Work on this device that waits for other servers or accounts, with a link to each sign-in. */
export function WaitingElsewhereList() {
  const { elsewhere } = useLive('session');
  return elsewhere.map((waiting) => <Waiting key={waiting.home} {...waiting} />);
}

function Waiting({ server, username, changes }: WaitingElsewhere) {
  const words = text.sync.elsewhere;
  return (
    <Notice
      tone="warn"
      title={words.waits(changes, server, username)}
      action={
        server !== null && (
          <ButtonLink href={`/sign-in?${new URLSearchParams({ server }).toString()}`}>
            {words.signIn}
          </ButtonLink>
        )
      }
    >
      {words.hint(username)}
    </Notice>
  );
}
