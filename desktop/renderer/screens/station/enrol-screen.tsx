import { useState } from 'react';
import { useLocation } from 'wouter';

import { UnprovedServer } from '#desktop/engine/account/unproved-server.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { defaultServer, isAddress, withScheme } from '#desktop/renderer/platform/server-address.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { enrolText } from '#desktop/renderer/text/en/station-enrolment.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { TextField } from '#desktop/renderer/ui/text-field.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { codeLength, enrolmentCode } from '#shared/rules/stations.ts';

import { needsKeyboard } from './needs-keyboard.ts';
import { ScreenKeyboard } from './screen-keyboard.tsx';
import { SheetForm } from '../sign-in/sheet-form.tsx';
import { Sheet } from '../sign-in/sheet.tsx';

/** The code of the address, which the QR code of the administration has. */
function codeInAddress(): string {
  const code = location.hash.slice(1);
  return enrolmentCode(code).length === codeLength ? code : '';
}

/** Makes this device a station, or the same station again. */
export function EnrolScreen() {
  const actions = useActions();
  const station = useLive('station');
  const session = useLive('session');
  const [, navigate] = useLocation();
  const { act, busy } = useAsyncAction();
  const [server, setServer] = useState(session.server ?? session.servers[0] ?? defaultServer());
  const [code, setCode] = useState(codeInAddress);
  const [errors, setErrors] = useState<{ server?: string; code?: string }>({});
  const check = () => {
    const found = {
      ...(!isAddress(server) && { server: enrolText.needServer }),
      ...(enrolmentCode(code).length !== codeLength && { code: enrolText.needCode }),
    };
    setErrors(found);
    return Object.keys(found).length === 0;
  };
  const enrol = async (apart?: boolean) => {
    await actions.enrolStation(withScheme(server), code.trim(), apart);
    navigate('/station', { replace: true });
  };
  return (
    <Sheet
      title={station === null ? enrolText.title : enrolText.again}
      lead={station === null ? enrolText.lead : enrolText.againLead}
    >
      {needsKeyboard() && matchMedia('(pointer: coarse)').matches && <ScreenKeyboard />}
      <SheetForm
        check={check}
        send={() => enrol()}
        failedTitle={enrolText.failed}
        failureWords={(error) =>
          error instanceof UnprovedServer
            ? text.signIn.unproved[error.reason](withScheme(server), error.origin, error.changes)
            : errorMessage(error)
        }
        failureAction={(error) =>
          error instanceof UnprovedServer && (
            <Button onPress={() => act(() => enrol(true))} isPending={busy}>
              {enrolText.beginAnew}
            </Button>
          )
        }
        submitLabel={station === null ? enrolText.submit : enrolText.again}
        after={
          <ButtonLink tone="quiet" href={station === null ? '/sign-in' : '/station'}>
            {station === null ? enrolText.backToSignIn : enrolText.backToLock}
          </ButtonLink>
        }
      >
        <TextField
          label={enrolText.server}
          hint={enrolText.serverHint}
          kind="url"
          value={server}
          onChange={setServer}
          error={errors.server}
        />
        <TextField
          label={enrolText.code}
          hint={enrolText.codeHint}
          value={code}
          onChange={setCode}
          // Otherwise the keyboard on the screen covers what is left to press.
          autoFocus={code === ''}
          error={errors.code}
        />
      </SheetForm>
    </Sheet>
  );
}
