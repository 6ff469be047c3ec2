import { createHash } from 'node:crypto';

import { afterAll, beforeAll, expect, test } from 'vitest';

import type { StepForm } from '#shared/model/step-form.ts';
import type { WorkLogEntry } from '#shared/model/work-log.ts';
import type { WorkRecordFile } from '#shared/model/work-record.ts';
import { must } from '#shared/must.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { listAudit } from '#server/features/audit/list.ts';
import { ok } from '#test/support/approvals.ts';
import { clientOf } from '#test/support/server.ts';
import { makeGuide, seenBy, stepAt } from '#test/support/workshop.ts';

import { anyone, openShop, secondIn, type Order, type Shop } from './second-person/world.ts';

// All tests share one server, because starting it takes longer than most of them.
let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(async () => shop[Symbol.asyncDispose]());

test('COSIGN-1 a form says who confirms; a client that does not know it reads and saves a text', async () => {
  const { ana, teamid } = shop;
  const { form, stepid } = await shop.order({ second_person: 'members', second_person_teams: [teamid] });
  const known = ({ field_guid, field_type, label, options, required }: StepForm['fields'][number]) => ({
    field_guid,
    field_type,
    label,
    options,
    required,
  });
  const save = async (fields: object[], seen: StepForm) =>
    ana.call('POST', `/step_forms/${stepid}`, { form_revisionid: seen.form_revisionid, fields });
  expect((await save(form.fields.map(known), form)).body).toEqual(form);
  const wider = await ok<StepForm>(
    save(
      form.fields.map((field) => ({
        ...known(field),
        ...(field.label === 'Torque' ? {} : { second_person: 'anyone' }),
      })),
      form,
    ),
  );
  expect(wider.fields[1]).toMatchObject({ second_person: 'anyone' });
  expect(wider.fields[1]).not.toHaveProperty('second_person_teams');
  const plain = (await seenBy(shop.server, ana, 'stepForms')).find(({ id }) => id === String(stepid));
  expect(JSON.stringify(plain)).not.toContain('second_person');
});

test.each([
  ['an unknown kind', { second_person: 'somebody' }],
  ['members of no team', { second_person: 'members' }],
  ['members of a team that does not exist', { second_person: 'members', second_person_teams: [987_654] }],
  ['teams for anyone', { ...anyone, second_person_teams: [1] }],
  ['a pattern', { ...anyone, pattern: 'B.*' }],
])('COSIGN-1 a second person with %s is 422', async (_, bad) => {
  const guide = await makeGuide(shop.ana);
  const fields = [{ field_type: 'Text Input', label: 'Checked by', ...bad }];
  expect((await shop.ana.call('POST', `/step_forms/${stepAt(guide, 0)}`, { fields })).status).toBe(422);
});

test('COSIGN-4 a name that a plain client records is named, not verified, and is no missing value', async () => {
  const { ana } = shop;
  const order = await shop.order();
  const named = await order.record({ torque: '12', second: 'Ben' });
  expect(secondIn(named.body)).toEqual({
    state: 'named',
    name: 'Ben',
    userid: null,
    at: null,
    method: null,
  });
  const done = await ok<WorkLogEntry>(ana.call('POST', `/work_log/${order.entryid}/finish`, {}));
  expect(done).toMatchObject({ gaps: [], has_deviations: false });
});

test('COSIGN-3 a colleague confirms with their password; the answer is what the server verified', async () => {
  const { ana, ben, server } = shop;
  const order = await shop.order();
  await order.record({ torque: '12' });
  const before = Math.floor(Date.now() / 1000);
  const confirmed = await order.confirmHere(ana, ben);
  expect(confirmed.status).toBe(200);
  const second = must(secondIn(confirmed.body), 'the second person');
  expect(second).toMatchObject({
    state: 'confirmed',
    name: 'Ben',
    userid: ben.userid,
    method: 'password',
  });
  expect(second.at).toBeGreaterThanOrEqual(before);
  // The same person again changes nothing; another one comes too late.
  expect((await order.confirmHere(ana, ben)).body).toMatchObject({ work_data: confirmed.body.work_data });
  expect((await order.confirmHere(ana, shop.cy)).status).toBe(409);
  const [row] = await listAudit(server.services.storage.reader, { outcome: 'done' }, { limit: 1, offset: 0 });
  expect(row).toMatchObject({ userid: ana.userid, action: 'POST /work_log/{entryid}/confirm/{userid}' });
  expect(row?.changes).toContainEqual({ facts: { confirmed_by: ben.userid, name: 'Ben' } });
});

test('COSIGN-3 a forged confirmation is refused or is only a name', async () => {
  const { ana, ben } = shop;
  const order = await shop.order();
  await order.record({ torque: '12' });
  for (const forged of [
    { confirmed: { userid: ben.userid, name: 'Ben', method: 'password' } },
    { second_person: ben.userid, at: 1 },
    { second_person: { userid: ben.userid, state: 'confirmed' } },
  ])
    expect((await order.record({ second: 'Ben' }, forged)).status).toBe(422);
  const named = await order.record({ second: 'Ben' }, { second_person: ben.userid });
  expect(secondIn(named.body)).toMatchObject({ state: 'named', userid: ben.userid, at: null });
  // Neither somebody else's password nor none confirms, and no other field does.
  expect((await order.confirmHere(ana, ben, { password: 'a guess' })).status).toBe(422);
  expect((await order.confirm(ben, { current_password: 'a guess' })).status).toBe(422);
  expect((await order.confirm(ben, { current_password: undefined })).body).toMatchObject({
    errors: [{ field: 'current_password' }],
  });
  expect((await order.confirm(ben, { field_revisionid: order.torque })).status).toBe(422);
  const other = await shop.order();
  expect((await order.confirm(ben, { field_revisionid: other.second })).status).toBe(422);
  expect((await other.confirm(ben)).status).toBe(404);
  expect((await order.confirm(ben, { name: 'Mira' })).status).toBe(422);
  expect(secondIn((await order.read()).body)).toMatchObject({ state: 'named' });
});

test('COSIGN-2 nobody confirms work of their own, nor does a kiosk or somebody who acts as another person', async () => {
  const { ana, ben, cy, kiosk, mira, server } = shop;
  const order = await shop.order();
  await order.record({ torque: '12' });
  expect((await order.confirm(ana)).status).toBe(403);
  expect((await order.confirmHere(ana, ana)).status).toBe(403);
  expect((await order.confirmHere(ana, kiosk)).status).toBe(403);
  expect((await order.record({ second: 'Ana' }, { second_person: ana.userid })).status).toBe(422);
  // Ben takes over: he holds the order now, and the torque still is Ana's.
  const own = `/work_log/${order.entryid}`;
  await ok(ana.call('POST', `${own}/suspend`, {}));
  await ok(ben.call('POST', `${own}/assume`, {}));
  expect((await order.confirmHere(ben, ben)).status).toBe(403);
  expect((await order.confirm(ana)).status).toBe(403);
  await order.record({ torque: '13' }, undefined, ben);
  const made = await ok<{ authToken: string }>(
    mira.call('POST', '/user/token/impersonate', { userid: ben.userid }),
  );
  const acting = clientOf(server.url, made.authToken);
  expect((await order.confirmHere({ ...ben, call: acting }, mira)).status).toBe(403);
  const asAna = await ok<{ authToken: string }>(
    mira.call('POST', '/user/token/impersonate', { userid: ana.userid }),
  );
  expect((await order.confirm({ ...ana, call: clientOf(server.url, asAna.authToken) })).status).toBe(403);
  expect((await order.confirmHere(cy, cy)).status).toBe(403);
  expect((await order.confirm(ana)).status).toBe(200);

  const shared = await shop.order(anyone, kiosk);
  await shared.record({ torque: '12' });
  expect((await shared.confirm(kiosk)).status).toBe(403);
  expect((await shared.confirmHere(kiosk, ana)).status).toBe(200);
});

test('COSIGN-1 members of the named teams confirm, or leads of the team that works, and administrators', async () => {
  const { ana, ben, cy, mira, teamid } = shop;
  const ofTeam = await shop.order({ second_person: 'members', second_person_teams: [teamid] });
  expect((await ofTeam.confirmHere(ana, ben)).status).toBe(403);
  expect((await ofTeam.confirmHere(ana, mira)).status).toBe(403);
  expect((await ofTeam.confirmHere(ana, cy)).status).toBe(200);
  const [one, other] = [
    await shop.order({ second_person: 'leads' }),
    await shop.order({ second_person: 'leads' }),
  ];
  expect((await one.confirmHere(ana, ben)).status).toBe(403);
  expect((await one.confirm(cy)).status).toBe(200);
  expect((await other.confirm(mira)).status).toBe(200);
});

/** The hash of what a person sees of a step, as the rule says. */
function seenHash({ work_data }: WorkLogEntry, { form, stepid }: Order): string {
  const torque = must(form.fields[0], 'the torque');
  const { field_revisionid, field_guid, field_type, label } = torque;
  const value = must(work_data.find((one) => one.label === label)?.value, 'its value');
  const limits = {};
  const values = [{ field_revisionid, field_guid, field_type, label, stepid, value, ...limits }];
  return createHash('sha256').update(canonicalJson(values)).digest('hex');
}

test('COSIGN-5 a confirmation applies to the values that the person saw; a changed value takes it away', async () => {
  const { ana, ben } = shop;
  const order = await shop.order();
  const seen = (await order.record({ torque: '12' })).body;
  const values_sha256 = seenHash(seen, order);
  await order.record({ torque: '13' });
  expect((await order.confirmHere(ana, ben, { values_sha256 })).status).toBe(409);
  await order.record({ torque: '12' });
  expect((await order.confirmHere(ana, ben, { values_sha256 })).status).toBe(200);
  // A client that sends the whole form again changes nothing.
  const same = await order.record({ torque: '12', second: 'Ben' });
  expect(secondIn(same.body)).toMatchObject({ state: 'confirmed' });
  const changed = await order.record({ torque: '12.0' });
  expect(changed.body.work_data).toMatchObject([{ value: '12.0' }, { value: '' }]);
  expect(secondIn(changed.body)).toMatchObject({ state: 'lost', name: 'Ben' });
  // The earlier value does not bring it back.
  expect(secondIn((await order.record({ torque: '12' })).body)).toMatchObject({ state: 'lost' });
  const done = await ok<WorkLogEntry>(ana.call('POST', `/work_log/${order.entryid}/finish`, {}));
  expect(done.gaps).toMatchObject([{ label: 'Checked by', reason: null }]);
});

test('COSIGN-5 a call that names somebody applies to the values after it', async () => {
  const { ana, ben } = shop;
  const order = await shop.order();
  await order.record({ torque: '12' });
  await order.confirmHere(ana, ben);
  const again = await order.record({ torque: '14', second: 'Ben' });
  expect(secondIn(again.body)).toMatchObject({ state: 'named', name: 'Ben' });
  expect((await order.confirmHere(ana, ben)).status).toBe(200);
  expect(secondIn((await order.read()).body)).toMatchObject({ state: 'confirmed' });
  const none = await order.record({ second: '' });
  expect(secondIn(none.body)).toBeUndefined();
});

test('COSIGN-8 a named person sees the order as long as they are named, and confirms in their own session', async () => {
  const { ben } = shop;
  const order = await shop.order();
  expect((await order.read(ben)).status).toBe(404);
  await order.record({ torque: '12', second: 'Ben' }, { second_person: ben.userid });
  expect((await order.read(ben)).status).toBe(200);
  expect((await order.record({ torque: '13' }, undefined, ben)).status).toBe(403);
  await order.record({ torque: '13' });
  expect((await order.read(ben)).status).toBe(404);
  await order.record({ second: 'Ben' }, { second_person: ben.userid });
  expect((await order.confirm(ben, { values_sha256: '0'.repeat(64) })).status).toBe(409);
  const confirmed = await order.confirm(ben);
  expect(secondIn(confirmed.body)).toMatchObject({ state: 'confirmed', userid: ben.userid });
  await order.record({ torque: '14' });
  expect((await order.read(ben)).status).toBe(200);
});

test('COSIGN-7 what is confirmed after the end is beside the sealed record, with its own time', async () => {
  const { ana, ben, cy } = shop;
  const order = await shop.order();
  const own = `/work_log/${order.entryid}`;
  await order.record({ torque: '12', second: 'Ben' }, { second_person: ben.userid });
  await ok(ana.call('POST', `${own}/suspend`, {}));
  // Also while nobody works on the order; this belongs to the record.
  expect((await order.confirm(ben)).status).toBe(200);
  await ok(ana.call('POST', `${own}/assume`, {}));
  await ok(ana.call('POST', `${own}/finish`, {}));
  const early = await ok<WorkRecordFile>(ana.call('GET', `${own}/record`));
  expect(early.record.values[1]).toMatchObject({ value: 'Ben', confirmed: { userid: ben.userid } });
  expect(early.confirmations).toEqual([]);

  const late = await shop.order();
  const path = `/work_log/${late.entryid}`;
  await late.record({ torque: '12', second: 'Ben' }, { second_person: ben.userid });
  await ok(ana.call('POST', `${path}/finish`, {}));
  const sealed = await ok<WorkRecordFile>(ana.call('GET', `${path}/record`));
  expect((await late.confirmHere(ana, cy)).status).toBe(200);
  const after = await ok<WorkRecordFile>(ana.call('GET', `${path}/record`));
  expect(after.record).toEqual(sealed.record);
  expect(after.record.values[1]).not.toHaveProperty('confirmed');
  expect(after.confirmations).toMatchObject([{ label: 'Checked by', value: 'Ben', name: 'Cy' }]);
  expect(createHash('sha256').update(canonicalJson(after.record)).digest('hex')).toBe(after.sha256);
  expect(secondIn((await late.read()).body)).toMatchObject({ state: 'confirmed', name: 'Cy' });

  const [cancelled, empty] = [await shop.order(), await shop.order()];
  await cancelled.record({ second: 'Ben' });
  await ok(ana.call('POST', `/work_log/${cancelled.entryid}/cancel`, {}));
  expect((await cancelled.confirmHere(ana, ben)).status).toBe(422);
  // What was missing at the end stays missing.
  await ok(ana.call('POST', `/work_log/${empty.entryid}/finish`, {}));
  expect((await empty.confirmHere(ana, ben)).status).toBe(422);
});
