import { firstValueFrom } from 'rxjs';

import { reports } from '#shared/api/reports.ts';

import type { ReportActions, ReportStep } from '../api/reports.ts';
import type { ActionContext } from '../features/action-context.ts';
import type { Sources } from '../features/records/sources.ts';
import { serverClient } from './server-client.ts';

/** Reports of the server, with the names that this device knows. */
export function reportActions({ sources }: Pick<ActionContext, 'sources'>): ReportActions {
  const client = serverClient(sources.core, { reports }).reports;
  return {
    async reportDurations(query, by) {
      const { orders, more, rows } = await client.durations({ query: { ...query, by } });
      const titles = await titlesOf(sources);
      const names = await firstValueFrom(sources.names);
      const stepOf = by === 'step' ? await stepsOf(sources, [query.guideid]) : () => null;
      return {
        orders,
        more,
        rows: rows.map((row) => ({
          ...row,
          name: (by === 'guide' ? titles(row.id) : names.get(row.id)) ?? '',
          step: stepOf(query.guideid, row.id),
        })),
      };
    },
    async reportYield(query) {
      const { orders, counted, passed, more, rows } = await client.firstPassYield({ query });
      const titles = await titlesOf(sources);
      const named = rows.map((row) => ({ ...row, guideTitle: titles(row.guideid) }));
      return { orders, counted, passed, more, rows: named };
    },
    async reportDeviations(query, by) {
      const { orders, total, more, rows } = await client.deviations({ query: { ...query, by } });
      const titles = await titlesOf(sources);
      const stepOf = await stepsOf(
        sources,
        by === 'step' || by === 'field' ? rows.map(({ guideid }) => guideid) : [],
      );
      return {
        orders,
        total,
        more,
        rows: rows.map(({ count, kind = null, guideid, stepid, label = null }) => ({
          count,
          kind,
          guideTitle: titles(guideid),
          step: stepid === undefined ? null : stepOf(guideid, stepid),
          label,
        })),
      };
    },
    async numberFields(query) {
      const { orders, more, rows } = await client.numberFields({ query });
      const titles = await titlesOf(sources);
      const named = rows.map((row) => ({ ...row, guideTitle: titles(row.guideid) }));
      return { orders, more, rows: named };
    },
    async reportNumbers(query, field_guid) {
      const { orders, label, unit, more, values } = await client.numbers({ query: { ...query, field_guid } });
      const names = await firstValueFrom(sources.names);
      const offset = sources.core.clock.offset() / 1000;
      const named = values.map((value) => ({
        ...value,
        at: value.at - offset,
        username: names.get(value.userid) ?? '',
      }));
      return { orders, label, unit, more, values: named };
    },
  };
}

/** The titles of guides on this device; '' of others. */
async function titlesOf({ rows }: Sources): Promise<(guideid: number | undefined) => string> {
  const titles = new Map((await firstValueFrom(rows)).map(({ id, title }) => [id, title]));
  return (guideid) => titles.get(String(guideid)) ?? '';
}

type StepOf = (guideid: number | undefined, stepid: number) => ReportStep | null;

/** The steps of guides on this device. */
async function stepsOf({ core }: Sources, guideids: readonly (number | undefined)[]): Promise<StepOf> {
  const steps = new Map<string, ReportStep>();
  for (const guideid of new Set(guideids)) {
    const guide = await firstValueFrom(core.mirror.one('guides', String(guideid)));
    for (const [place, { stepid, title }] of (guide?.facts.steps ?? []).entries())
      steps.set(`${guideid} ${stepid}`, { number: place + 1, title });
  }
  return (guideid, stepid) => steps.get(`${guideid} ${stepid}`) ?? { number: null, title: '' };
}
