import { ChevronLeft, KeyRound, OctagonX } from 'lucide-react';
import { useCallback, useState } from 'react';

import type { EnrolmentCode } from '#desktop/engine/api/stations.ts';
import type { Actions } from '#desktop/engine/engine.ts';
import { useActions } from '#desktop/renderer/engine-context.tsx';
import { text } from '#desktop/renderer/text/en.ts';
import { stationAdminText } from '#desktop/renderer/text/en/station-admin.ts';
import { formatDate, formatNumber, formatSince } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { SectionCard } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { ConfirmDialog } from '#desktop/renderer/ui/confirm-dialog.tsx';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Facts } from '#desktop/renderer/ui/panel.tsx';
import { showToast } from '#desktop/renderer/ui/toast.tsx';
import { errorMessage, useAsyncAction } from '#desktop/renderer/use-async-action.ts';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { StationDetail } from '#shared/model/station.ts';

import { useProof } from '../account/use-proof.tsx';
import { AdminPage } from '../site/admin-page.tsx';
import { useServerValue } from '../site/use-server-value.ts';
import { Arrivals } from './arrivals.tsx';
import { CodePanel } from './code-panel.tsx';
import { FormerMembers, StationPeople } from './station-people.tsx';
import { StationSettingsForm } from './station-settings-form.tsx';
import { StationStanding, waitingFact } from './station-state.tsx';
import styles from './stations.module.css';

/** One station: its state, enrolment, settings and people, and what arrived from it. */
export function StationScreen({ stationid }: { stationid: number }) {
  const read = useCallback((actions: Actions) => actions.readStation(stationid), [stationid]);
  const from = useServerValue(read);
  const { user } = useLive('session');
  const isAdministrator = user?.privileges.includes('Admin') === true;
  return (
    <AdminPage
      title={from.value?.name ?? stationAdminText.title}
      lead={from.value?.place ?? ''}
      over={
        <div className={classNames(styles, 'over')}>
          <ButtonLink tone="quiet" href="/stations" icon={<ChevronLeft aria-hidden="true" />}>
            {stationAdminText.over}
          </ButtonLink>
        </div>
      }
      from={from}
      failedTitle={stationAdminText.failed}
      isForLeads
    >
      {(station) => (
        <>
          <Enrolment station={station} isAdministrator={isAdministrator} onChanged={from.set} />
          <FormerMembers station={station} onChanged={from.set} />
          <div className={classNames(styles, 'columns')}>
            <StationPeople station={station} onChanged={from.set} />
            {isAdministrator && (
              <StationSettingsForm key={station.stationid} station={station} onChanged={from.set} />
            )}
          </div>
          {isAdministrator && <Arrivals stationid={station.stationid} />}
        </>
      )}
    </AdminPage>
  );
}

interface EnrolmentProps {
  station: StationDetail;
  isAdministrator: boolean;
  onChanged: (station: StationDetail) => void;
}

/** How the station stands, with a new code, and a way to shut it out. */
function Enrolment({ station, isAdministrator, onChanged }: EnrolmentProps) {
  const actions = useActions();
  const now = useNow();
  const proof = useProof();
  const { act, busy } = useAsyncAction();
  const [made, setMade] = useState<EnrolmentCode | null>(null);
  const [isAsking, setAsking] = useState(false);
  const askCode = () =>
    proof.ask(
      async (given) => setMade(await actions.newStationCode(station.stationid, given)),
      (failure) => showToast(errorMessage(failure), 'danger'),
    );
  const revoke = () =>
    act(async () => {
      onChanged(await actions.revokeStation(station.stationid));
      showToast(stationAdminText.revoked(station.name));
    });
  return (
    <>
      {made !== null && <CodePanel made={made} onClose={() => setMade(null)} />}
      <SectionCard title={stationAdminText.enrolment}>
        <div className={classNames(styles, 'mark')}>
          <StationStanding station={station} now={now} />
        </div>
        <Facts
          facts={[
            [
              stationAdminText.lastContact,
              station.contact_date === null
                ? stationAdminText.never
                : formatSince(station.contact_date * 1000, now),
            ],
            [stationAdminText.waiting, waitingFact(station, now)],
            [stationAdminText.device, station.device],
            [stationAdminText.appVersion, station.app_version],
            [
              stationAdminText.tries,
              station.failed_tries === null ? null : formatNumber(station.failed_tries),
            ],
            [
              stationAdminText.enrolled,
              station.enrolled_date === null ? null : formatDate(station.enrolled_date * 1000),
            ],
          ]}
        />
        <Row>
          {isAdministrator && (
            <Button icon={<KeyRound aria-hidden="true" />} onPress={askCode}>
              {stationAdminText.newCode}
            </Button>
          )}
          {station.status !== 'revoked' && (
            <Button
              tone="danger"
              icon={<OctagonX aria-hidden="true" />}
              onPress={() => setAsking(true)}
              isPending={busy}
            >
              {stationAdminText.revoke}
            </Button>
          )}
        </Row>
        {isAdministrator && <Note>{stationAdminText.newCodeHint}</Note>}
        {proof.question}
        <ConfirmDialog
          title={stationAdminText.revokeTitle(station.name)}
          isOpen={isAsking}
          onClose={() => setAsking(false)}
          confirmLabel={stationAdminText.revoke}
          cancelLabel={text.app.cancel}
          onConfirm={revoke}
        >
          {stationAdminText.revokeBody}
        </ConfirmDialog>
      </SectionCard>
    </>
  );
}
