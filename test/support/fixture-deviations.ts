import type { DeviationView } from '#desktop/engine/api/deviation-records.ts';
import type { DeviationReport } from '#desktop/engine/areas/deviations.ts';
import type { AreaActions } from '#desktop/engine/areas/index.ts';
import { must } from '#shared/must.ts';

import { minute } from './demo-orders.ts';
import type { World } from './fixture-world.ts';

type DeviationActions = Pick<AreaActions, 'reportDeviation' | 'decideDeviation'>;

/** Deviations of the world: one that waits for a lead, and one that was decided twice. */
export function demoDeviations({ isLead }: { isLead: boolean }): DeviationView[] {
  const now = Date.now();
  const shared = {
    guideid: '9002',
    guideTitle: 'Wheel dressing',
    images: [],
    earlier: [],
    decides: isLead,
    pending: false,
    mine: false,
  };
  return [
    {
      ...shared,
      deviationid: '311',
      entryid: '504',
      workorderid: 'WO-1042',
      stepid: '90009',
      title: 'Belt deflection',
      note: 'The belt slipped off the rear pulley.\nThe pulley looks worn.',
      username: 'Maria Silva',
      at: now - 20 * minute,
      measured: {
        field_guid: 'deflection',
        value: '9.9',
        broken: { side: 'max', limit: 4 },
        limits: { min: 3, max: 4 },
        unit: 'mm',
        reason: '',
      },
      images: ['BeltStep01Image2'],
      decision: null,
    },
    {
      ...shared,
      deviationid: '309',
      entryid: '503',
      workorderid: 'WO-1037',
      stepid: '90004',
      title: 'Cover undamaged',
      note: '',
      username: 'Ben Okafor',
      at: now - 600 * minute,
      measured: { field_guid: 'cover', value: 'Fail', broken: null, limits: null, unit: '', reason: '' },
      decision: {
        disposition: 'rework',
        reason: 'Smooth the edge and paint it.',
        username: 'Mira Holm',
        at: now - 500 * minute,
        pending: false,
      },
      earlier: [
        {
          disposition: 'scrap',
          reason: 'The cover is bent.',
          username: 'Mira Holm',
          at: now - 550 * minute,
          pending: false,
        },
      ],
    },
  ];
}

/** The guid of the field that a report names. */
function guidOf({ guides }: World, { field_revisionid }: DeviationReport): string {
  const fields = guides.flatMap(({ steps }) => steps.flatMap((step) => step.fields));
  return fields.find((field) => field.field_revisionid === field_revisionid)?.field_guid ?? '';
}

/** The engine's actions on deviations, in the fixture's world. `keep` stores a file and returns its guid. */
export function deviationActions(
  world: () => World,
  change: (make: (now: World) => Partial<World>) => void,
  newId: () => string,
  keep: (file: Blob) => string,
): DeviationActions {
  return {
    async reportDeviation(entryid, report) {
      const order = must(
        world().orders.find((one) => one.entryid === entryid),
        'the order',
      );
      const value = order.values[report.field_revisionid ?? 0];
      const deviation: DeviationView = {
        deviationid: newId(),
        entryid,
        workorderid: order.workorderid,
        guideid: order.guideid,
        guideTitle: order.guideTitle,
        stepid: value?.stepid ?? report.stepid ?? '0',
        title: report.title ?? value?.label ?? '',
        note: report.note,
        username: 'Ana Ruiz',
        mine: true,
        at: Date.now(),
        measured:
          value === undefined
            ? null
            : {
                field_guid: guidOf(world(), report),
                value: value.value,
                broken: value.broken,
                limits: null,
                unit: value.unit,
                reason: value.reason,
              },
        images: report.pictures.map(keep),
        decision: null,
        earlier: [],
        decides: false,
        pending: true,
      };
      change(({ deviations }) => ({ deviations: [deviation, ...deviations] }));
      return deviation.deviationid;
    },
    async decideDeviation(deviationid, disposition, reason) {
      const decision = { disposition, reason, username: 'Ana Ruiz', at: Date.now(), pending: true };
      change(({ deviations }) => ({
        deviations: deviations.map((one) => (one.deviationid === deviationid ? { ...one, decision } : one)),
      }));
    },
  };
}
