import { ArrowLeft } from 'lucide-react';
import { Suspense, useState } from 'react';

import type { StationHealth } from '#desktop/engine/api/station-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { stationText } from '#desktop/renderer/text/en/stations.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import { Loading } from '#desktop/renderer/ui/loading.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { QrCode } from '#desktop/renderer/ui/qr-code.tsx';
import { useLive } from '#desktop/renderer/use-live.ts';
import { useNow } from '#desktop/renderer/use-now.ts';

import { healthFacts, healthText } from './health-words.ts';
import styles from './health-screen.module.css';
import { LeaveDialog } from './leave-dialog.tsx';

/** The state of the station for its support, in words and as a QR code. */
export function HealthScreen({ onBack }: { onBack: () => void }) {
  return (
    <Suspense fallback={<Loading label={text.app.loading} />}>
      <Health onBack={onBack} />
    </Suspense>
  );
}

function Health({ onBack }: { onBack: () => void }) {
  const health = useLive('stationHealth');
  return (
    <section className={classNames(styles, 'health')}>
      <header className={classNames(styles, 'head')}>
        <div>
          <h1>{stationText.health.title}</h1>
          <p className={classNames(styles, 'lead')}>{stationText.health.lead}</p>
        </div>
        <Button icon={<ArrowLeft aria-hidden="true" />} onPress={onBack}>
          {stationText.lock.back}
        </Button>
      </header>
      {health === null ? <Note>{stationText.health.notHere}</Note> : <Words health={health} />}
    </section>
  );
}

function Words({ health }: { health: StationHealth }) {
  const now = useNow();
  const [isLeaving, setLeaving] = useState(false);
  const facts = healthFacts(health, now);
  return (
    <div className={classNames(styles, 'sheet')}>
      <Card pad="roomy">
        <dl className={classNames(styles, 'facts')}>
          {facts.map(([name, said]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {said.map((line) => (
                  <p key={line}>{line}</p>
                ))}
              </dd>
            </div>
          ))}
        </dl>
      </Card>
      <div className={classNames(styles, 'side')}>
        <QrCode text={healthText(facts)} label={stationText.health.qr} />
        <h2>{stationText.health.administrators}</h2>
        <Row>
          <ButtonLink href="/enrol">{stationText.health.enrolAgain}</ButtonLink>
          <Button onPress={() => setLeaving(true)}>{stationText.health.leave}</Button>
        </Row>
        {isLeaving && (
          <LeaveDialog isShutOut={health.standing === 'shut-out'} onClose={() => setLeaving(false)} />
        )}
      </div>
    </div>
  );
}
