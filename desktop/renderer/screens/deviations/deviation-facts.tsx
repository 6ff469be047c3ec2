import type {
  DeviationDecisionView,
  DeviationView,
  Measured,
} from '#desktop/engine/api/deviation-records.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDigits, formatSince, withUnit } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Note } from '#desktop/renderer/ui/note.tsx';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { useNow } from '#desktop/renderer/use-now.ts';
import type { Disposition } from '#shared/model/deviations.ts';

import { atStations } from '../work-orders/at-stations.ts';
import styles from './deviations.module.css';

const tones: Record<Disposition, Tone> = {
  'use-as-is': 'ok',
  rework: 'warn',
  scrap: 'danger',
  return: 'neutral',
};

/** Whether a deviation is open, or what was decided. */
export function DeviationState({ deviation: { decision, pending } }: { deviation: DeviationView }) {
  return (
    <>
      {(pending || decision?.pending === true) && <Badge tone="warn">{text.app.savedOnDevice}</Badge>}
      {decision === null ? (
        <Badge tone="danger">{text.deviations.open}</Badge>
      ) : (
        <Badge tone={tones[decision.disposition]}>{text.deviations.dispositions[decision.disposition]}</Badge>
      )}
    </>
  );
}

/** What was measured against which limits. */
export function measuredWords({ value, broken, limits, unit }: Measured): string {
  const { between, least, most } = text.deviations.limits;
  if (broken === null || limits === null) return text.deviations.answered(value);
  const { min, max } = limits;
  const words =
    min !== null && max !== null
      ? between(formatDigits(min), withUnit(max, unit))
      : min !== null
        ? least(withUnit(min, unit))
        : most(withUnit(max ?? '', unit));
  return `${text.deviations.measured(withUnit(formatDigits(value), unit))}, ${words}`;
}

/** Everything that is known of a deviation, below its title. */
export function DeviationFacts({ deviation }: { deviation: DeviationView }) {
  const now = useNow();
  const since = formatSince(deviation.at, now);
  return (
    <>
      {deviation.measured !== null && (
        <p className={classNames(styles, 'measured')}>{measuredWords(deviation.measured)}</p>
      )}
      {deviation.measured !== null && deviation.measured.reason !== '' && (
        <p className={classNames(styles, 'note')}>{deviation.measured.reason}</p>
      )}
      {deviation.note !== '' && <p className={classNames(styles, 'note')}>{deviation.note}</p>}
      <Note>
        {[
          deviation.mine ? text.deviations.byYou(since) : text.deviations.by(deviation.username, since),
          ...atStations([deviation.station]),
        ].join(' · ')}
      </Note>
      {deviation.images.length > 0 && (
        <ul className={classNames(styles, 'photos')}>
          {deviation.images.map((guid, index) => (
            <li key={guid} className={classNames(styles, 'photo')}>
              <Picture guid={guid} size="thumbnail" alt={text.deviations.photo(index + 1)} fit="cover" />
            </li>
          ))}
        </ul>
      )}
      {deviation.decision !== null && <Decision decision={deviation.decision} />}
      {deviation.earlier.length > 0 && (
        <details className={classNames(styles, 'earlier')}>
          <summary>{text.deviations.earlier}</summary>
          {deviation.earlier.map((decision) => (
            <Decision key={decision.at} decision={decision} />
          ))}
        </details>
      )}
    </>
  );
}

function Decision({ decision: { disposition, username, at, reason } }: { decision: DeviationDecisionView }) {
  const now = useNow();
  const what = text.deviations.dispositions[disposition];
  return (
    <div className={classNames(styles, 'decision')}>
      <b>{text.deviations.decidedBy(what, username, formatSince(at, now))}</b>
      <p className={classNames(styles, 'note')}>{reason}</p>
    </div>
  );
}
