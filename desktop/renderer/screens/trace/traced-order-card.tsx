import { Link } from 'react-aria-components';

import type { TracedOrder } from '#desktop/engine/api/tracing.ts';
import { text } from '#desktop/renderer/text/en.ts';
import { formatDate, formatList } from '#desktop/renderer/text/format.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { Card } from '#desktop/renderer/ui/card.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Picture } from '#desktop/renderer/ui/picture.tsx';
import type { WorkRecord } from '#shared/model/work-record.ts';
import { numberKey } from '#shared/rules/tracing.ts';

import { DeviationFacts, DeviationState } from '../deviations/deviation-facts.tsx';
import { atStations } from '../work-orders/at-stations.ts';
import { NumberLinks, revisionHref } from '../work-orders/number-link.tsx';
import { revisionWords } from '../work-orders/revision-words.ts';
import { TracedValues } from './traced-values.tsx';
import styles from './trace.module.css';
import { moveWords, nameIn } from './value-words.ts';

interface TracedOrderCardProps {
  order: TracedOrder;
  /** The number that is traced, as numbers are compared; null: a revision is traced. */
  number: string | null;
  /** The number was recorded in the order, which is about others. */
  isPart: boolean;
}

const tones: Record<WorkRecord['status'], Tone> = {
  started: 'accent',
  paused: 'warn',
  suspended: 'warn',
  complete: 'ok',
  cancelled: 'neutral',
};

/** An order with everything that was recorded in it. */
export function TracedOrderCard({ order, number, isPart }: TracedOrderCardProps) {
  const { entryid, record, deviations, pending } = order;
  return (
    <Card as="li">
      <article className={classNames(styles, 'order')}>
        <div className={classNames(styles, 'head')}>
          <h3>
            <Link href={`/work-orders/${encodeURIComponent(entryid)}`}>{record.workorderid}</Link>
          </h3>
          <span className={classNames(styles, 'marks')}>
            {pending && <Badge tone="warn">{text.tracing.waiting}</Badge>}
            {deviations.length > 0 && (
              <Badge tone="danger">{text.tracing.deviations(deviations.length)}</Badge>
            )}
            <Badge tone={tones[record.status]} look="dot">
              {text.workOrders.states[record.status]}
            </Badge>
          </span>
        </div>
        <div className={classNames(styles, 'facts')}>
          <p>{record.guide_title}</p>
          <Revisions record={record} />
          <p className={classNames(styles, 'quiet')}>
            {[workWords(record), ...atStations(order.stations)].join(' · ')}
          </p>
        </div>
        <Numbers record={record} number={number} />
        <TracedValues record={record} number={number} isPart={isPart} />
        <Photos record={record} />
        {deviations.map((one) => (
          <section key={one.deviationid} className={classNames(styles, 'deviation')}>
            <div className={classNames(styles, 'head')}>
              <h4>{one.title}</h4>
              <DeviationState deviation={one} />
            </div>
            <DeviationFacts deviation={one} />
          </section>
        ))}
        <HandOvers record={record} />
      </article>
    </Card>
  );
}

/** What the order was about, besides the traced number. */
function Numbers({ record: { serials = [] }, number }: { record: WorkRecord; number: string | null }) {
  const others = serials.filter((serial) => numberKey(serial) !== number);
  if (others.length === 0) return null;
  return (
    <div className={classNames(styles, 'numbers')}>
      <span className={classNames(styles, 'quiet')}>
        {others.length < serials.length ? text.tracing.alsoAbout : text.tracing.about}
      </span>
      <NumberLinks numbers={others} />
    </div>
  );
}

function workWords(record: WorkRecord): string {
  const workers = new Set(record.history.map(({ userid }) => nameIn(record, userid)));
  const [from, until] = [record.started, record.ended].map((at) =>
    at === null || at === undefined ? null : formatDate(Date.parse(at)),
  );
  return [
    text.tracing.people(formatList([...workers])),
    until == null ? text.tracing.since(from ?? '') : text.tracing.period(from ?? '', until),
  ].join(' · ');
}

/** The revisions by which it was worked, each with a link to the other orders that were. */
function Revisions({ record: { guideid, revisions } }: { record: WorkRecord }) {
  return revisions
    .filter(({ decision }) => decision !== 'keep')
    .map((revision) => (
      <p key={revision.at}>
        {revision.counted === undefined ? (
          revisionWords(revision)
        ) : (
          <Link href={revisionHref(String(guideid), revision.counted.number)}>{revisionWords(revision)}</Link>
        )}
      </p>
    ));
}

function Photos({ record: { values } }: { record: WorkRecord }) {
  const photos = values.flatMap(({ label, files = [] }) =>
    files.map((guid, index) => ({ guid, words: text.tracing.photo(label, index + 1) })),
  );
  if (photos.length === 0) return null;
  return (
    <ul className={classNames(styles, 'photos')}>
      {photos.map(({ guid, words }) => (
        <li key={guid}>
          <Picture guid={guid} size="thumbnail" alt={words} fit="cover" />
        </li>
      ))}
    </ul>
  );
}

/** Who took it over from whom, with the notes. */
function HandOvers({ record }: { record: WorkRecord }) {
  const told = record.history.filter(({ type, note }) => type === 'assume' || note !== undefined);
  if (told.length === 0) return null;
  return (
    <ul className={classNames(styles, 'handovers')}>
      {told.map(({ type, userid, at, note }) => (
        <li key={`${type} ${at}`}>
          <b>{moveWords(type)}</b> {`${formatDate(Date.parse(at))} · ${nameIn(record, userid)}`}
          {note !== undefined && <p>{note}</p>}
        </li>
      ))}
    </ul>
  );
}
