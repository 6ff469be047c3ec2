import { Monitor, Smartphone, UserRoundCheck } from 'lucide-react';
import { useCallback, useState } from 'react';

import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { accountText } from '#desktop/renderer/text/en/account.ts';
import { formatDate, formatDay } from '#desktop/renderer/text/format.ts';
import { Badge } from '#desktop/renderer/ui/badge.tsx';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { ListRow, RowList, RowTitle } from '#desktop/renderer/ui/list-row.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Notice } from '#desktop/renderer/ui/notice.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import type { Session } from '#shared/model/session.ts';

import { useServerValue } from '../site/use-server-value.ts';

/** The sessions of a person, each with a button to end it. Only the server knows them. */
export function SignIns({ userid, isOwn = false }: { userid: number; isOwn?: boolean }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isAsking, setIsAsking] = useState(false);
  const read = useCallback((from: Actions) => from.listSignIns(userid), [userid]);
  const { value: sessions, failure, reload } = useServerValue(read);
  if (failure !== null)
    return (
      <Notice
        tone="warn"
        title={accountText.signInsFailed}
        action={<Button onPress={reload}>{text.site.again}</Button>}
      >
        {failure}
      </Notice>
    );
  if (sessions === null) return <Loading label={text.site.loading} />;
  const end = (ending: () => Promise<void>) =>
    act(async () => {
      await ending();
      showToast(accountText.ended);
      reload();
    });
  const others = sessions.filter((one) => !one.is_current);
  return (
    <Stack>
      {sessions.length === 0 && <Note>{accountText.noSignIns}</Note>}
      <RowList>
        {sessions.map((session) => (
          <SignInRow
            key={session.sessionid}
            session={session}
            isBusy={busy}
            onEnd={() => end(() => actions.endSignIn(userid, session.sessionid))}
          />
        ))}
      </RowList>
      {others.length > 0 && (
        <div>
          <Button onPress={() => setIsAsking(true)} isDisabled={busy}>
            {isOwn ? accountText.endOthers : accountText.endAll}
          </Button>
        </div>
      )}
      <ConfirmDialog
        title={isOwn ? accountText.endOthersTitle : accountText.endAllTitle}
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        confirmLabel={isOwn ? accountText.endOthers : accountText.endAll}
        cancelLabel={text.app.cancel}
        onConfirm={() => end(() => actions.endOtherSignIns(userid))}
      >
        {accountText.endOthersBody}
      </ConfirmDialog>
    </Stack>
  );
}

function SignInRow({ session, isBusy, onEnd }: { session: Session; isBusy: boolean; onEnd: () => void }) {
  const { impersonator, address, created_date, used_date, is_current } = session;
  const name =
    impersonator === null ? deviceWords(session.device) : accountText.actingHere(impersonator.username);
  return (
    <ListRow
      icon={iconOf(session)}
      end={
        is_current ? (
          <Badge tone="accent">{accountText.here}</Badge>
        ) : (
          <Button onPress={onEnd} isDisabled={isBusy} label={accountText.endOf(name)}>
            {accountText.end}
          </Button>
        )
      }
    >
      <RowTitle>{name}</RowTitle>
      <Note>{accountText.lastUsed(formatDate(used_date * 1000))}</Note>
      <Note>{accountText.since(formatDay(created_date * 1000), address)}</Note>
    </ListRow>
  );
}

function iconOf({ impersonator, device }: Session) {
  if (impersonator !== null) return <UserRoundCheck />;
  return /iPhone|iPad|Android/.test(device) ? <Smartphone /> : <Monitor />;
}

const browsers = [
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/Electron\//, 'Benchbook'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrom(?:e|ium)\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;
const systems = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPad/, 'iPad'],
  [/iPhone/, 'iPhone'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const;

/** The browser and system that a user agent names; any other name unchanged. */
export function deviceWords(device: string): string {
  if (device.trim() === '') return accountText.unknownDevice;
  if (!device.startsWith('Mozilla/')) return device;
  const found = [browsers, systems].flatMap((known) => {
    const match = known.find(([pattern]) => pattern.test(device));
    return match === undefined ? [] : [match[1]];
  });
  return found.length === 0 ? device : found.join(' · ');
}
