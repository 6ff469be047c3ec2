import { createHash } from 'node:crypto';

import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import type { Release } from '#shared/model/release.ts';
import type { StepForm } from '#shared/model/step-form.ts';
import { must } from '#shared/must.ts';
import { approvalStateOf } from '#shared/rules/approvals.ts';
import { canonicalJson } from '#shared/rules/canonical-json.ts';
import { factsOfVersion } from '#server/features/approvals/revision-hash.ts';
import { verifySignatures } from '#server/features/approvals/verify.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import { openRaw, withoutGuards } from '#test/support/raw-database.ts';
import { written } from '#test/support/written.ts';

let shop: Shop;
let guide: Guide;
let stepid: number;

const torque = (max: number): object => ({
  field_guid: 'temporary-id',
  field_type: 'Numeric Input',
  label: 'Torque <Nm>',
  options: { limit_decimals: true, decimals: 1, limit_min: true, min: 20, limit_max: true, max },
});

beforeAll(async () => {
  shop = await openShop();
  guide = await shop.guide();
  stepid = must(guide.steps[0], 'a step').stepid;
  await saveForm(torque(25));
});
afterAll(async () => shop[Symbol.asyncDispose]());

async function saveForm(...fields: object[]): Promise<StepForm> {
  const before = await ok<StepForm | null>(shop.ana.call('GET', `/step_forms/stepid/${stepid}`));
  const form_revisionid = before?.form_revisionid;
  return ok<StepForm>(shop.ana.call('POST', `/step_forms/${stepid}`, { form_revisionid, fields }));
}

const read = (): Promise<Guide> => ok<Guide>(shop.ana.call('GET', `/guides/${guide.guideid}`));

async function askAgain(): Promise<Guide> {
  const { revisionid } = await read();
  return ok<Guide>(shop.ana.call('PUT', `/guides/${guide.guideid}/public?revisionid=${revisionid}`));
}

async function form(type: 'HTML' | 'XML', query = ''): Promise<string> {
  const path = `/api/2.0/guides/${guide.guideid}?type=${type}${query}`;
  const headers = { Authorization: `api ${shop.ana.token}` };
  return (await fetch(shop.server.url + path, { headers })).text();
}

/** The guide on devices. */
async function onDevice(guideid = guide.guideid, person = shop.lea): Promise<GuideFacts> {
  const headers = { Authorization: `api ${person.token}` };
  const response = await fetch(`${shop.server.url}/sync/1/bootstrap`, { headers });
  const rows = (await response.text()).trim().split('\n');
  const row = rows
    .map((line) => JSON.parse(line) as { c?: string; id?: string; doc?: GuideFacts })
    .find(({ c, id }) => c === 'guides' && id === String(guideid));
  return must(row?.doc, 'the guide on the device');
}

// The tests depend on each other: each continues with the guide of the previous one.
describe('a form, its approval, and another form', { shuffle: false }, () => {
  test('APPROVAL-18 the signed hash covers the forms with all their fields, and anyone can compute it', async () => {
    await askAgain();
    const request = await shop.request(guide.guideid);
    const [signed] = must(request.forms, 'the forms of the request');
    expect(request.forms).toEqual([{ stepid, form_revisionid: expect.any(Number) }]);
    const path = `/step_forms/form_revisionid/${signed?.form_revisionid}`;
    const { fields, form_revisionid } = await ok<StepForm>(shop.tom.call('GET', path));
    expect(fields).toMatchObject([{ label: 'Torque <Nm>', options: { max: 25 } }]);
    const facts = await factsOfVersion(shop.server.services.storage.reader, guide);
    const content = { guide: facts, prerequisites: [], forms: [{ stepid, form_revisionid, fields }] };
    expect(createHash('sha256').update(canonicalJson(content)).digest('hex')).toBe(request.revision_hash);
  });

  test('APPROVAL-18 a form changed after the approval leaves the version without signatures, everywhere', async () => {
    await shop.signAll((await shop.request(guide.guideid)).approval_requestid);
    const published = await read();
    expect(published.public).toBe(true);
    const page = await form('HTML');
    expect(page).toContain('<b>Quinn</b>');
    expect(page).toContain('Torque &lt;Nm&gt;');
    expect(page).toContain('at least 20 · at most 25 · up to 1 decimal');
    expect(approvalStateOf(await onDevice())).toBe('approved');

    await saveForm(torque(95));
    const now = await read();
    expect(now.guide_revisionid).toBe(published.guide_revisionid);
    expect(now.approval?.requests).toMatchObject([{ status: 'approved', forms_changed: true }]);
    expect(approvalStateOf(await onDevice())).toBe('unapproved');
    for (const query of ['', `&revisionid=${now.revisionid}`]) {
      const changed = await form('HTML', query);
      expect(changed).toContain('This version is not approved.');
      expect(changed).toContain('at most 95');
      expect(changed).not.toContain('Quinn');
      expect(await form('XML', query)).not.toContain('Quinn');
    }
  });

  test('APPROVAL-15 APPROVAL-18 the version can be requested again without a withdrawal, and approved as it stands', async () => {
    const before = await read();
    const asked = await askAgain();
    expect(asked).toMatchObject({ public: true, guide_revisionid: before.guide_revisionid });
    expect(asked.approval?.requests.at(-1)).toMatchObject({ status: 'pending', purpose: 'publish' });
    expect((await askAgain()).approval).toEqual(asked.approval);
    const { approval_requestid } = await shop.request(guide.guideid);
    await shop.signAll(approval_requestid);
    const after = await read();
    expect(after).toMatchObject({ public: true, guide_revisionid: before.guide_revisionid });
    expect(approvalStateOf(await onDevice())).toBe('approved');
    const page = await form('HTML');
    expect(page).toContain('<b>Quinn</b>');
    expect(page).not.toContain('not approved');
    await askAgain();
    expect((await shop.request(guide.guideid)).approval_requestid).toBe(approval_requestid);
  });

  test('APPROVAL-15 an edit of a public guide is compared with the approved version, signed, and can be refused', async () => {
    const approved = await read();
    const edit = async (summary: string) => {
      const { revisionid } = await read();
      return ok<Guide>(
        shop.ana.call('PATCH', `/guides/${guide.guideid}?revisionid=${revisionid}`, { summary }),
      );
    };
    await edit('One');
    const second = await edit('Two');
    expect(await askAgain()).toMatchObject({ public: true, summary: 'Two' });
    const request = await shop.request(guide.guideid);
    expect(request).toMatchObject({
      revisionid: second.revisionid,
      last_public_revisionid: approved.revisionid,
    });
    await ok(shop.sign(shop.tom, request.approval_requestid, 'reject', { comment: 'No' }));
    expect(await read()).toMatchObject({ public: true, summary: 'Two' });
    expect(approvalStateOf(await onDevice())).toBe('rejected');
    await askAgain();
    await shop.signAll((await shop.request(guide.guideid)).approval_requestid);
    expect(approvalStateOf(await onDevice())).toBe('approved');
    expect(await form('HTML', `&revisionid=${approved.revisionid}`)).toContain('at most 95');
    expect((await verifySignatures(shop.server.services.storage.reader)).broken).toEqual([]);
  });

  test.each([
    [
      'its fields',
      `UPDATE step_form_revisions SET body = replace(body, '"max":95', '"max":96')`,
      'the version is not what was signed',
    ],
    [
      'its revision',
      `UPDATE step_forms SET form_revisionid = (SELECT min(form_revisionid) FROM step_form_revisions)`,
      'the forms that readers see are not those signed',
    ],
    [
      'the copy for devices',
      `UPDATE documents SET body = replace(body, '"max":95', '"max":96') WHERE collection = 'stepForms'`,
      'the forms that readers see are not those signed',
    ],
  ])(
    'APPROVAL-18 a form that was changed by bypassing the server is detected: %s',
    async (_, statement, reason) => {
      // Like a command, which has no cached state.
      await using raw = await openRaw(shop.server.dataDir);
      await raw.rolledBack(async () => {
        await raw.past(() => raw.run(statement));
        const { broken } = await verifySignatures(raw.db);
        expect(broken.map((one) => one.reason)).toContain(reason);
      });
      expect((await verifySignatures(shop.server.services.storage.reader)).broken).toEqual([]);
    },
  );

  test('APPROVAL-19 a guide is signed with the forms of its pinned releases and keeps showing those', async () => {
    const lock = await shop.guide({ title: 'Lock out' });
    const lockStep = must(lock.steps[0], 'a step').stepid;
    const saveLock = async (max: number): Promise<StepForm> => {
      const before = await ok<StepForm | null>(shop.ana.call('GET', `/step_forms/stepid/${lockStep}`));
      const body = { form_revisionid: before?.form_revisionid, fields: [torque(max)] };
      return ok<StepForm>(shop.ana.call('POST', `/step_forms/${lockStep}`, body));
    };
    const { form_revisionid } = await saveLock(30);
    const releasing = `/guides/${lock.guideid}/releases?revisionid=${lock.revisionid}`;
    const { releaseid } = await ok<Release>(shop.mira.call('POST', releasing, { type: 'major' }));
    await shop.signAll((await shop.request(lock.guideid)).approval_requestid);
    const asking = await shop.guide({
      title: 'Press',
      prerequisites: [lock.guideid],
      prerequisite_releases: [{ guideid: lock.guideid, releaseid }],
      public: true,
    });
    const { approval_requestid, revision_hash } = await shop.request(asking.guideid);
    const { reader } = shop.server.services.storage;
    const released = await factsOfVersion(reader, lock);
    const own = await factsOfVersion(reader, asking);
    const read = await ok<StepForm>(shop.ana.call('GET', `/step_forms/form_revisionid/${form_revisionid}`));
    const forms = [{ stepid: lockStep, form_revisionid, fields: read.fields }];
    const prerequisites = [{ guideid: lock.guideid, releaseid, guide: released, forms }];
    const signed = canonicalJson({ guide: own, prerequisites, forms: [] });
    expect(createHash('sha256').update(signed).digest('hex')).toBe(revision_hash);

    await saveLock(99);
    await shop.signAll(approval_requestid);
    expect((await verifySignatures(reader)).broken).toEqual([]);
    const limits = ({ fields }: StepForm): unknown =>
      fields.map(({ options }) => Reflect.get(options ?? {}, 'max'));
    const ofGuide = await ok<StepForm[]>(shop.ana.call('GET', `/step_forms/guideid/${asking.guideid}`));
    expect(ofGuide.map((one) => [one.form_revisionid, limits(one)])).toEqual([[form_revisionid, [30]]]);
    const present = await ok<StepForm[]>(shop.ana.call('GET', `/step_forms/guideid/${lock.guideid}`));
    expect(present.map(limits)).toEqual([[99]]);
    const [pin] = (await onDevice(asking.guideid, shop.ana)).prerequisite_releases ?? [];
    expect(pin?.released?.forms?.map(limits)).toEqual([[30]]);

    await using raw = await openRaw(shop.server.dataDir);
    const replaced = async (from: string, to: string): Promise<void> => {
      const changed = await raw.past(() =>
        raw.run(`UPDATE step_form_revisions SET body = replace(body, '${from}', '${to}')
          WHERE form_revisionid = ${form_revisionid} RETURNING form_revisionid`),
      );
      expect(changed).toHaveLength(1);
    };
    await replaced('"max":30', '"max":31');
    const broken = (await verifySignatures(reader)).broken.map(({ guideid }) => guideid);
    expect(new Set(broken)).toEqual(new Set([lock.guideid, asking.guideid]));
    await replaced('"max":31', '"max":30');
  });

  test('APPROVAL-18 signatures from before forms were signed are verified by the hash used then', async () => {
    const { storage } = shop.server.services;
    const { approval_requestid: id } = await shop.request(guide.guideid);
    const version = await factsOfVersion(storage.reader, await read());
    const hash = createHash('sha256')
      .update(canonicalJson({ guide: version, prerequisites: [] }))
      .digest('hex');
    // As if it had been signed then; the audit log records these changes too.
    await written(shop.server.services, async (tx) => {
      const back = await withoutGuards(tx, ['approval_requests', 'approval_signatures']);
      await sql`UPDATE approval_requests SET forms = NULL, revision_hash = ${hash} WHERE approval_requestid = ${id}`.execute(
        tx,
      );
      await sql`UPDATE approval_signatures SET revision_hash = ${hash} WHERE approval_requestid = ${id}`.execute(
        tx,
      );
      await back();
    });
    expect((await verifySignatures(storage.reader)).broken).toEqual([]);
    expect((await shop.request(guide.guideid)).forms).toBeNull();
  });
});
