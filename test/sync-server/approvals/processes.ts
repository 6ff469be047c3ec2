import { expect, test } from 'vitest';

import type { ApprovalProcess, ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import { ok } from '#test/support/approvals.ts';

import { asked, read, shop, stageOf, wikiidOf } from './world.ts';

/** Processes of approval, and which guides have one. */
export function testProcesses(): void {
  test('APPROVAL-1 administrators create and edit processes; all signed-in users read and search them', async () => {
    const { mira, ana, tom } = shop;
    const body = { name: 'Größe prüfen', description: 'Twice', stages: [stageOf([tom.userid])] };
    const made = await ok<ApprovalProcess>(mira.call('POST', '/approvals/process', body));
    expect(made).toMatchObject({
      name: 'Größe prüfen',
      stages: [
        { name: 'Check', orderby: 1, meaning: 'approved', required_approvals: 1, userids: [tom.userid] },
      ],
    });
    const path = `/approvals/process/${made.approval_processid}`;
    const [stage] = made.stages;
    const stages = [
      stageOf([ana.userid], { name: 'First' }),
      { ...stage, orderby: undefined, name: 'Second' },
    ];
    const edited = await ok<ApprovalProcess>(mira.call('PATCH', path, { stages }));
    expect(edited.stages.map((one) => one.name)).toEqual(['First', 'Second']);
    expect(edited.stages[1]?.approval_stageid).toBe(stage?.approval_stageid);
    expect(await ok(ana.call('GET', path))).toMatchObject({ name: 'Größe prüfen', description: 'Twice' });
    const rows = async (): Promise<object[]> =>
      shop.server.services.storage.reader.selectFrom('audit_log').select('seq').execute();
    const before = await rows();
    expect(await ok(mira.call('PATCH', path, {}))).toEqual(edited);
    expect(await rows()).toEqual(before);
    const found = async (phrase: string): Promise<number[]> => {
      const path = `/approvals/process/search/${encodeURIComponent(phrase)}`;
      return (await ok<ApprovalProcess[]>(ana.call('GET', path))).map((one) => one.approval_processid);
    };
    expect(await found('PRÜF')).toEqual([made.approval_processid]);
    expect(await found('%')).toEqual([]);
    const all = await ok<ApprovalProcess[]>(ana.call('GET', '/approvals/processes'));
    expect(all.map((one) => one.name)).toEqual(expect.arrayContaining(['Press safety', 'Größe prüfen']));
    expect((await ana.call('POST', '/approvals/process', body)).status).toBe(403);
    expect((await ana.call('PATCH', path, { name: 'Mine' })).status).toBe(403);
    expect((await mira.call('PATCH', '/approvals/process/999', { name: 'Mine' })).status).toBe(404);
    expect((await mira.call('GET', '/approvals/process/999')).status).toBe(404);
  });

  test.each([
    ['nobody', { name: 'A' }],
    ['fewer people than signatures', { name: 'A', userids: [1], required_approvals: 2 }],
    ['unknown people', { name: 'A', userids: [999_999] }],
    ['unknown teams', { name: 'A', teamids: [999_999] }],
    ['a foreign stage', { name: 'A', userids: [1], approval_stageid: 999 }],
  ])('APPROVAL-1 a stage of %s is 422 and changes nothing', async (_, stage) => {
    const before = await ok<ApprovalProcess[]>(shop.ana.call('GET', '/approvals/processes'));
    const good = stageOf([shop.tom.userid]);
    const answer = await shop.mira.call('POST', '/approvals/process', { name: 'Odd', stages: [good, stage] });
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'stages', index: 1 }] } });
    expect(await ok(shop.ana.call('GET', '/approvals/processes'))).toEqual(before);
  });

  test('APPROVAL-1 a disabled account and a kiosk do not count as possible signers', async () => {
    const { mira, tom, server } = shop;
    const kiosk = await server.person('Kiosk', ['User', 'Kiosk']);
    const gone = await server.person('Gone', ['User']);
    await ok(mira.call('PATCH', `/users/${gone.userid}`, { enabled: false }));
    const saved = async (stage: object) =>
      (await mira.call('POST', '/approvals/process', { name: 'Odd', stages: [stage] })).status;
    for (const person of [kiosk, gone]) {
      const answer = await mira.call('POST', '/approvals/process', {
        name: 'Odd',
        stages: [stageOf([tom.userid]), stageOf([person.userid])],
      });
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ field: 'stages', index: 1 }] } });
      const both = [tom.userid, person.userid];
      expect(await saved(stageOf(both, { required_approvals: 2 }))).toBe(422);
      expect(await saved(stageOf(both))).toBe(201);
    }
  });

  test('APPROVAL-2 a request keeps its stages when the process is edited', async () => {
    const { mira, tom, lea, process } = shop;
    const { request } = await asked();
    const path = `/approvals/process/${process.approval_processid}`;
    await ok(mira.call('PATCH', path, { stages: [stageOf([lea.userid])] }));
    expect((await shop.request(request.guideid)).stages).toEqual(request.stages);
    await ok(shop.sign(tom, request.approval_requestid, 'review'));
    const details = await ok<{ requests: ApprovalRequest[] }>(mira.call('GET', path));
    expect(details.requests.map((one) => one.approval_requestid)).toContain(request.approval_requestid);
    const stages = process.stages.map(({ orderby: _orderby, approval_stageid: _id, ...stage }) => stage);
    await ok(mira.call('PATCH', path, { stages }));
  });

  test('APPROVAL-3 a new guide gets the process of the nearest category above; existing guides do not change', async () => {
    const { mira, ana, tom } = shop;
    const [hydraulic, workshop] = [await wikiidOf('Hydraulic Press'), await wikiidOf('Workshop')];
    const before = await shop.guide();
    expect(before.approval).toEqual({ approval_processid: shop.process.approval_processid, requests: [] });
    const body = { name: 'Near', stages: [stageOf([tom.userid])] };
    const near = await ok<ApprovalProcess>(mira.call('POST', '/approvals/process', body));
    const path = `/approvals/${hydraulic}/${near.approval_processid}`;
    expect(await ok(mira.call('PUT', path))).toEqual({
      wikiid: hydraulic,
      approval_processid: near.approval_processid,
    });
    expect((await shop.guide()).approval?.approval_processid).toBe(near.approval_processid);
    expect((await read(ana, before.guideid)).approval).toEqual(before.approval);
    const details = await ok<ApprovalProcess>(
      mira.call('GET', `/approvals/process/${near.approval_processid}`),
    );
    expect(details.wikiids).toEqual([hydraulic]);
    expect((await ana.call('DELETE', `/approvals/${hydraulic}`)).status).toBe(403);
    expect((await mira.call('DELETE', '/approvals/999999')).status).toBe(404);
    expect((await mira.call('DELETE', `/approvals/${hydraulic}`)).status).toBe(204);
    const nearPath = `/approvals/process/${near.approval_processid}`;
    expect((await ok<ApprovalProcess>(mira.call('GET', nearPath))).wikiids).toEqual([]);
    expect((await mira.call('DELETE', `/approvals/${hydraulic}`)).status).toBe(204);
    expect((await shop.guide()).approval?.approval_processid).toBe(shop.process.approval_processid);
    expect((await shop.guide({ category: 'Workshop' })).approval).toBeUndefined();
    const moved = await shop.guide({ category: 'Workshop' });
    const patched = `/guides/${moved.guideid}?revisionid=${moved.revisionid}`;
    expect((await ok<Guide>(ana.call('PATCH', patched, { category: 'Press' }))).approval).toBeUndefined();
    expect((await mira.call('PUT', `/approvals/${workshop}/999999`)).status).toBe(404);
    expect((await mira.call('PUT', `/approvals/999999/${near.approval_processid}`)).status).toBe(404);
    expect((await ana.call('PUT', path)).status).toBe(403);
  });
}
