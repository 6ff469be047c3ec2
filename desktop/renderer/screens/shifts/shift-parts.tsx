import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';

import { text } from '#desktop/renderer/text/en.ts';
import { formatClock, formatDate, formatDigits, withUnit } from '#desktop/renderer/text/format.ts';
import { shiftWords } from '#desktop/renderer/text/en/shift-summaries.ts';
import { Badge, type Tone } from '#desktop/renderer/ui/badge.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import type { ShiftSummary } from '#shared/model/shift-summaries.ts';
import { entryStatuses, type EntryStatus } from '#shared/model/work-log.ts';

import styles from './shifts.module.css';

interface PartProps {
  summary: ShiftSummary;
}

function nameOf({ people }: ShiftSummary, userid: number | null): string {
  return people.find((one) => one.userid === userid)?.name ?? '';
}

function OrderLink({ entryid, workorderid }: { entryid: number; workorderid: string }) {
  return <Link href={`/work-orders/${entryid}`}>{workorderid}</Link>;
}

interface PartFrameProps {
  title: string;
  /** Numbers below the title. */
  counts?: string | undefined;
  columns: readonly string[];
  /** What is said without rows. */
  none?: string;
  children: readonly ReactNode[];
}

/** A table with its title. */
function Part({ title, counts, columns, none, children }: PartFrameProps) {
  return (
    <section className={classNames(styles, 'part')}>
      <h2>{title}</h2>
      {counts !== undefined && <p className={classNames(styles, 'counts')}>{counts}</p>}
      {children.length === 0 ? (
        none !== undefined && <p className={classNames(styles, 'counts')}>{none}</p>
      ) : (
        <table className={classNames(styles, 'table')}>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      )}
    </section>
  );
}

const tones: Record<EntryStatus, Tone> = {
  started: 'accent',
  paused: 'warn',
  suspended: 'warn',
  complete: 'ok',
  cancelled: 'neutral',
};

/** The orders of the shift, with how many are in each state. */
export function Orders({ summary }: PartProps) {
  const { orders } = summary;
  const states = entryStatuses.flatMap((status) => {
    const number = orders.filter((one) => one.status === status).length;
    return number === 0 ? [] : [`${number} ${text.workOrders.states[status].toLowerCase()}`];
  });
  return (
    <Part
      title={shiftWords.orders}
      counts={states.length === 0 ? undefined : shiftWords.counts(states)}
      columns={[
        shiftWords.number,
        shiftWords.guide,
        text.workOrders.state,
        shiftWords.who,
        shiftWords.worked,
      ]}
      none={shiftWords.noOrders}
    >
      {orders.map(({ entryid, workorderid, guide_title, status, userid, duration, handover }) => (
        <tr key={entryid}>
          <th scope="row">
            <OrderLink entryid={entryid} workorderid={workorderid} />
            {handover !== null && <span className={classNames(styles, 'words')}>{handover}</span>}
          </th>
          <td>{guide_title ?? shiftWords.hiddenGuide}</td>
          <td>
            <Badge tone={tones[status]} look="dot">
              {text.workOrders.states[status]}
            </Badge>
          </td>
          <td>{nameOf(summary, userid)}</td>
          <td>{formatClock(duration * 1000)}</td>
        </tr>
      ))}
    </Part>
  );
}

/** The values that were out of limits, or failed. */
export function Values({ summary }: PartProps) {
  return (
    <Part
      title={shiftWords.values}
      columns={[shiftWords.number, shiftWords.value, text.workOrders.limits, shiftWords.who]}
      none={shiftWords.noValues}
    >
      {summary.values.map((one) => (
        <tr key={`${one.entryid} ${one.label} ${one.at}`}>
          <th scope="row">
            <OrderLink entryid={one.entryid} workorderid={one.workorderid} />
          </th>
          <td>
            {`${one.label}: ${withUnit(one.limits === undefined ? one.value : formatDigits(one.value), one.unit ?? '')}`}
            {one.reason !== undefined && <span className={classNames(styles, 'words')}>{one.reason}</span>}
          </td>
          <td>{limitsOf(one)}</td>
          <td>{nameOf(summary, one.userid)}</td>
        </tr>
      ))}
    </Part>
  );
}

function limitsOf({ limits, unit = '' }: ShiftSummary['values'][number]): string {
  if (limits === undefined) return '';
  const { min, max } = limits;
  if (min !== null && max !== null) return text.player.limits.between(formatDigits(min), withUnit(max, unit));
  return min === null
    ? text.player.limits.most(withUnit(max ?? '', unit))
    : text.player.limits.least(withUnit(min, unit));
}

/** The deviations of the shift, and those that are still open. */
export function Deviations({ summary }: PartProps) {
  const { raised, decided, open, list } = summary.deviations;
  const more = open - list.filter(({ decision }) => decision === null).length;
  return (
    <Part
      title={shiftWords.deviations}
      counts={[
        shiftWords.deviationCounts(raised, decided, open),
        ...(more > 0 ? [shiftWords.moreOpen(more)] : []),
      ].join(' · ')}
      columns={[shiftWords.deviations, shiftWords.number, text.workOrders.state]}
    >
      {list.map(({ deviationid, title, userid, entryid, workorderid, decision }) => (
        <tr key={deviationid}>
          <th scope="row">
            {title}
            <span className={classNames(styles, 'words')}>
              {shiftWords.reportedBy(nameOf(summary, userid))}
            </span>
          </th>
          <td>
            <OrderLink entryid={entryid} workorderid={workorderid} />
          </td>
          <td>
            {decision === null ? (
              <Badge tone="danger">{text.deviations.open}</Badge>
            ) : (
              <>
                {`${text.deviations.dispositions[decision.disposition]} · ${nameOf(summary, decision.userid)}`}
                <span className={classNames(styles, 'words')}>{decision.reason}</span>
              </>
            )}
          </td>
        </tr>
      ))}
    </Part>
  );
}

/** Working time by person. */
export function Times({ summary }: PartProps) {
  return (
    <Part
      title={shiftWords.times}
      columns={[shiftWords.who, shiftWords.orders, shiftWords.worked]}
      none={shiftWords.noTimes}
    >
      {summary.times.map(({ userid, orders, duration }) => (
        <tr key={userid}>
          <th scope="row">{nameOf(summary, userid)}</th>
          <td>{shiftWords.orderCount(orders)}</td>
          <td>{formatClock(duration * 1000)}</td>
        </tr>
      ))}
    </Part>
  );
}

/** The planned work that nobody has started, or that is late. */
export function Planned({ summary }: PartProps) {
  const { open, late, list } = summary.planned;
  const more = summary.planned.open - list.filter(({ status }) => status === 'open').length;
  return (
    <Part
      title={shiftWords.planned}
      counts={[
        shiftWords.plannedCounts(open, late),
        ...(more > 0 ? [shiftWords.morePlanned(more)] : []),
      ].join(' · ')}
      columns={[shiftWords.number, shiftWords.due, shiftWords.who, text.workOrders.state]}
    >
      {list.map((one) => (
        <tr key={one.planned_orderid}>
          <th scope="row">{one.workorderid}</th>
          <td>{one.due === null ? text.planned.noDue : formatDate(Date.parse(one.due))}</td>
          <td>{one.userid === null ? summary.team.name : nameOf(summary, one.userid)}</td>
          <td>
            {one.late ? <Badge tone="danger">{text.planned.late}</Badge> : text.planned.statuses[one.status]}
          </td>
        </tr>
      ))}
    </Part>
  );
}
