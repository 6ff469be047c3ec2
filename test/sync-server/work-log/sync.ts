import { expect, test } from 'vitest';

import type { WorkLogEntry } from '#shared/model/work-log.ts';
import { must } from '#shared/must.ts';
import { unannouncedProtocol } from '#shared/sync/protocol.ts';
import { makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';
import type { TestPerson } from '#test/support/server.ts';

import { admin, ana, ben, cleo, fieldId, guide, move, now, server, start, wait } from './world.ts';

/** Work of devices that were offline. */
export function testSync(): void {
  test('a whole work order done offline is sent as one batch with temporary ids', async () => {
    wait(3600);
    const key = 'offline-entry-0001';
    const begun = now - 1_800_000;
    const moment = (mono: number): object => ({ at: begun + mono, mono, session: 'offline', offset: 0 });
    const call = (id: string, method: string, path: string, body: object): object => ({
      id,
      lane: 'entry',
      method,
      path,
      body,
    });
    const entry = `/work_log/tmp:${key}`;
    const response = await fetch(`${server.url}/sync/1/batch`, {
      method: 'POST',
      headers: { Authorization: `api ${ben.token}` },
      body: JSON.stringify({
        protocol: unannouncedProtocol,
        calls: [
          call(key, 'POST', '/work_log', {
            guideid: guide.guideid,
            workorderid: 'WO-77',
            guide_revisionid: guide.guide_revisionid,
            ...moment(0),
          }),
          call('offline-step-0001', 'PUT', `${entry}/step`, { stepid: stepAt(guide, 0), ...moment(1000) }),
          call('offline-data-0001', 'PUT', `${entry}/stepData`, {
            fields: { [fieldId('Result')]: 'pass' },
            ...moment(300_000),
          }),
          call('offline-stop-0001', 'POST', `${entry}/finish`, moment(600_000)),
        ],
      }),
    });
    const lines = (await response.text()).trim().split('\n').slice(1);
    const results = lines.map(
      (line) => JSON.parse(line) as { status: number; created: Record<string, number | string> },
    );
    expect(results.map((result) => result.status)).toEqual([201, 200, 200, 200]);
    const entryid = Number(must(results[0], 'the first result').created[`tmp:${key}`]);
    expect((await ben.call('GET', `/work_log/${entryid}`)).body).toMatchObject({
      entryid,
      status: 'complete',
      starttime: begun / 1000,
      duration: 600,
      step_durations: [{ stepid: stepAt(guide, 0), duration: 599 }],
      work_data: [{ label: 'Result', value: 'pass' }],
      time_adjusted: false,
    });
  });

  test('a repeated call takes effect once and answers the entry as it is now', async () => {
    const headers = { 'Idempotency-Key': 'start-entry-1' };
    const body = { guideid: guide.guideid, workorderid: 'WO-2' };
    const first = await ben.call('POST', '/work_log', body, headers);
    const entry = first.body as WorkLogEntry;
    const pauseKey = { 'Idempotency-Key': 'pause-entry-1' };
    const path = `/work_log/${entry.entryid}`;
    expect((await ben.call('POST', `${path}/pause`, {}, pauseKey)).status).toBe(200);
    expect((await ben.call('POST', `${path}/pause`, {}, pauseKey)).status).toBe(200);
    const replay = await ben.call('POST', '/work_log', body, headers);
    expect([replay.status, replay.body]).toMatchObject([201, { entryid: entry.entryid, status: 'paused' }]);
    const row = (await seenBy(server, ben, 'workLog')).find((one) => one.id === String(entry.entryid));
    expect(row?.doc).toMatchObject({ key: 'start-entry-1', events: [{ type: 'start' }, { type: 'pause' }] });
  });

  test('the feed shows an entry to its holders and administrators, and a suspended one to everyone who sees the guide', async () => {
    const own = await makeGuide(ana);
    const entry = await start(ben, { guideid: own.guideid });
    const sees = async (person: TestPerson): Promise<boolean> =>
      (await seenBy(server, person, 'workLog')).some((row) => row.id === String(entry.entryid));
    expect([await sees(ben), await sees(admin), await sees(cleo)]).toEqual([true, true, false]);
    await move(ben, entry, 'suspend');
    expect(await sees(cleo)).toBe(true);
    await ana.client.guides.unpublish({ params: { guideid: own.guideid }, revisionid: own.revisionid });
    expect([await sees(ben), await sees(ana), await sees(cleo)]).toEqual([true, true, false]);
    expect((await move(cleo, entry, 'assume')).status).toBe(404);
    expect((await move(ben, entry, 'assume')).status).toBe(403);
  });
}
