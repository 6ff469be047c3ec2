import { useState } from 'react';
import { Label, Radio, RadioGroup } from 'react-aria-components';

import type { StationSignOut, StationView } from '#desktop/engine/api/station-records.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { handOverAll } from '#desktop/renderer/hand-over.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { stationHomeText } from '#desktop/renderer/text/en/station-home.ts';
import { typedSignOut } from '#desktop/renderer/typed-forms.ts';
import { Button } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Dialog } from '#desktop/renderer/ui/dialog.tsx';
import { Stack } from '#desktop/renderer/ui/layout.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useFormDraftSoon, useFormId } from '#desktop/renderer/use-form-draft.ts';

import styles from './sign-out-dialog.module.css';

type Way = StationSignOut['orders'];
const ways = ['pause', 'hand-over', 'keep-running'] as const satisfies readonly Way[];

/** Signs the person out. With a running order, they say what happens to it. */
export function SignOutDialog({ station, onClose }: { station: StationView; onClose: () => void }) {
  const actions = useActions();
  const { act, busy } = useAsyncAction();
  const [isAsked, setAsked] = useState(false);
  const running = station.running.filter(({ userid }) => userid === station.person?.userid);
  const typed = useFormDraftSoon({
    id: useFormId('sign-out', ...running.map(({ entryid }) => entryid)),
    schema: typedSignOut,
    start: { orders: 'pause', note: '' },
  });
  const { orders: way, note } = typed.text;
  const signOut = () => {
    setAsked(true);
    if (way === 'hand-over' && note.trim() === '') return;
    act(async () => {
      handOverAll();
      await actions.signOutOfStation(
        way === 'hand-over' ? { orders: way, note: note.trim() } : { orders: way },
      );
      typed.forget();
    });
  };
  return (
    <Dialog
      title={stationHomeText.signOutTitle}
      isOpen
      onClose={onClose}
      closeLabel={text.app.cancel}
      size="medium"
      actions={
        <>
          <Button onPress={onClose}>{text.app.cancel}</Button>
          <Button tone="primary" onPress={signOut} isPending={busy}>
            {stationHomeText.signOut}
          </Button>
        </>
      }
    >
      <Stack>
        {running.length === 0 ? (
          <p>{stationHomeText.signOutFree}</p>
        ) : (
          <RadioGroup
            className={classNames(styles, 'ways')}
            value={way}
            onChange={(id) => typed.change({ orders: ways.find((one) => one === id) ?? way })}
          >
            <Label className={classNames(styles, 'ask')}>
              {stationHomeText.signOutRunning(running.length)}
            </Label>
            {ways.map((id) => (
              <Radio key={id} value={id} className={classNames(styles, 'way')}>
                <b>{stationHomeText.ways[id][0]}</b>
                <span>{stationHomeText.ways[id][1]}</span>
              </Radio>
            ))}
          </RadioGroup>
        )}
        {way === 'hand-over' && (
          <TextField
            label={stationHomeText.note}
            kind="long"
            value={note}
            onChange={(words) => typed.change({ note: words })}
            error={isAsked && note.trim() === '' ? stationHomeText.needNote : undefined}
          />
        )}
      </Stack>
    </Dialog>
  );
}
