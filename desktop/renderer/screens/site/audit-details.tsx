import { useState } from 'react';

import { auditWords } from '#desktop/renderer/text/audit.ts';
import { formatNumber } from '#desktop/renderer/text/format.ts';
import { Button, ButtonLink } from '#desktop/renderer/ui/button.tsx';
import { classNames } from '#desktop/renderer/ui/class-names.ts';
import { Row } from '#desktop/renderer/ui/layout.tsx';
import type { AuditEntry } from '#shared/model/audit.ts';

import { auditHref } from './audit-query.ts';
import { recordWords } from './audit-words.ts';
import styles from './audit.module.css';

type Change = AuditEntry['changes'][number];
type Value = string | number | boolean | null;

/** Number of changes shown first; an import changes thousands of rows. */
const shownFirst = 20;

/** The details of a row: its changes and its place in the hash chain. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const [isWhole, setIsWhole] = useState(false);
  const { changes } = entry;
  const shown = isWhole ? changes : changes.slice(0, shownFirst);
  return (
    <div className={classNames(styles, 'details')}>
      {changes.length === 0 && <p>{auditWords.change.nothing}</p>}
      {shown.map((change, index) => (
        <ChangeTable key={index} change={change} />
      ))}
      {shown.length < changes.length && (
        <div>
          <Button onPress={() => setIsWhole(true)}>
            {auditWords.change.rest(changes.length - shown.length)}
          </Button>
        </div>
      )}
      <Facts entry={entry} />
      <Row>
        {entry.userid !== null && (
          <ButtonLink href={auditHref({ userid: entry.userid })}>{auditWords.rowsOfPerson}</ButtonLink>
        )}
        {entry.object !== '' && (
          <ButtonLink href={auditHref({ object: entry.object, objectid: entry.objectid || undefined })}>
            {auditWords.rowsOfRecord}
          </ButtonLink>
        )}
      </Row>
    </div>
  );
}

/** The change of one database row; facts are shown by their fields. */
function ChangeTable({ change }: { change: Change }) {
  const { table, op, key = {}, old, new: now, facts } = change;
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const isPair = old !== undefined && now !== undefined;
  const caption =
    op === undefined || table === undefined ? auditWords.change.facts : auditWords.change.ops[op](table);
  const single = Object.entries(facts ?? (names.length === 0 ? key : (old ?? now ?? {})));
  return (
    <div className={classNames(styles, 'change')}>
      <table className={classNames(styles, 'table')}>
        <caption>
          {caption}{' '}
          <span className={classNames(styles, 'code')}>{keyWords(names.length === 0 ? {} : key)}</span>
        </caption>
        <thead>
          <tr>
            <th scope="col">{auditWords.change.name}</th>
            {isPair ? (
              <>
                <th scope="col">{auditWords.change.before}</th>
                <th scope="col">{auditWords.change.after}</th>
              </>
            ) : (
              <th scope="col">{auditWords.change.value}</th>
            )}
          </tr>
        </thead>
        <tbody>
          {isPair
            ? names.map((name) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{shownValue(old[name])}</td>
                  <td>{shownValue(now[name])}</td>
                </tr>
              ))
            : single.map(([name, value]) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td>{shownValue(value)}</td>
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

function keyWords(key: Readonly<Record<string, Value>>): string {
  return Object.entries(key)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function shownValue(value: Value | undefined): string {
  if (value === undefined || value === null || value === '') return auditWords.change.empty;
  if (typeof value === 'boolean') return value ? auditWords.change.yes : auditWords.change.no;
  return value === '[hidden]' ? auditWords.change.hidden : String(value);
}

function Facts({ entry }: { entry: AuditEntry }) {
  const words = auditWords.facts;
  const { revision_before: before, revision_after: after } = entry;
  const shownVersion = (number: number | null) =>
    number === null ? auditWords.change.empty : formatNumber(number);
  const facts: [string, string][] = [
    [words.record, recordWords(entry)],
    [words.version, before === after ? '' : words.versions(shownVersion(before), shownVersion(after))],
    [words.account, entry.userid === null ? '' : String(entry.userid)],
    [words.address, entry.address],
    [words.utc, entry.time],
    [words.action, entry.action],
    [words.hash, entry.hash],
    [words.previous, entry.prev_hash],
  ];
  return (
    <dl className={classNames(styles, 'facts')}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
