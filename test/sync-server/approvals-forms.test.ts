import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { GuideFacts } from '#shared/model/guide.ts';
import { openArchive } from '#shared/formats/omanual/read.ts';
import { blobSource } from '#shared/formats/omanual/source.ts';
import { utcText } from '#shared/rules/approvals.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import { exported, imported } from '#test/support/archive-calls.ts';
import { startServer, type TestPerson } from '#test/support/server.ts';

let shop: Shop;
let guide: Guide;

beforeAll(async () => {
  shop = await openShop();
  guide = await shop.guide({ public: true, title: 'Ram <seal>' });
});
afterAll(async () => shop[Symbol.asyncDispose]());

async function form(type: 'HTML' | 'XML', query = ''): Promise<string> {
  const path = `/api/2.0/guides/${guide.guideid}?type=${type}${query}`;
  const response = await fetch(shop.server.url + path, {
    headers: { Authorization: `api ${shop.ana.token}` },
  });
  expect(response.status).toBe(200);
  return response.text();
}

/** The guide's record in the initial load of a device. */
async function onDevice(person: TestPerson, guideid = guide.guideid): Promise<GuideFacts | undefined> {
  const response = await fetch(`${shop.server.url}/sync/1/bootstrap`, {
    headers: { Authorization: `api ${person.token}` },
  });
  const rows = (await response.text()).trim().split('\n');
  const row = rows
    .map((line) => JSON.parse(line) as { c?: string; id?: string; doc?: GuideFacts })
    .find(({ c, id }) => c === 'guides' && id === String(guideid));
  return row?.doc;
}

// The tests depend on each other: each continues with the guide of the previous one.
describe('from the request to a later version', { shuffle: false }, () => {
  test('APPROVAL-11 the devices of the signers get the guide with its request, and lose it when the request ends', async () => {
    expect((await onDevice(shop.tom))?.approval?.requests).toMatchObject([{ status: 'pending' }]);
    expect(await onDevice(shop.quinn)).toBeDefined();
    expect(await onDevice(shop.lea)).toBeUndefined();
    const path = `/guides/${guide.guideid}/public?revisionid=${guide.revisionid}`;
    await ok(shop.ana.call('DELETE', path));
    expect(await onDevice(shop.tom)).toBeUndefined();
    await ok(shop.ana.call('PUT', path));
    expect(await onDevice(shop.tom)).toBeDefined();
  });

  test('APPROVAL-12 a version without all its signatures says that it is not approved', async () => {
    const page = await form('HTML');
    expect(page).toContain('This version is not approved.');
    expect(page).not.toContain('Reviewed');
  });

  test('APPROVAL-12 every readable form of the signed version shows name, meaning and time in UTC', async () => {
    const { approval_requestid } = await shop.request(guide.guideid);
    await shop.signAll(approval_requestid);
    const published = await ok<Guide>(shop.lea.call('GET', `/guides/${guide.guideid}`));
    const [request] = published.approval?.requests ?? [];
    expect(request).toMatchObject({ status: 'approved', process: 'Press safety' });
    const signed = request?.signatures ?? [];
    expect(signed.map(({ name, meaning }) => [name, meaning])).toEqual([
      ['Tom', 'reviewed'],
      ['Tia', 'reviewed'],
      ['Quinn', 'approved'],
    ]);
    const [page, xml] = [await form('HTML'), await form('XML')];
    expect(page).not.toContain('not approved');
    for (const { name, meaning, date } of signed) {
      expect(page).toContain(`<b>${name}</b>`);
      expect(page).toContain(utcText(date));
      expect(page).toContain(meaning === 'approved' ? 'Approved' : 'Reviewed');
      expect(xml).toContain(`${name}: ${meaning}, ${utcText(date)}`);
    }
    const facts = await onDevice(shop.lea);
    expect(facts?.approval?.requests[0]?.signatures).toEqual(signed);
  });

  test('APPROVAL-12 OMANUAL-READ-19 an archive shows the signatures, with and without the data stored beside the documents', async () => {
    const { approval, flags } = await ok<Guide>(shop.lea.call('GET', `/guides/${guide.guideid}`));
    const told = approval?.requests[0]?.signatures.map(
      ({ name, meaning, date }) => `${name}: ${meaning}, ${utcText(date)} (Press safety, publication).`,
    );
    const bytes = await exported(shop.server, shop.mira, { guideids: [guide.guideid] });
    for (const [file, name] of [
      [new Blob([bytes]), 'ram.omanual'],
      [new Blob([await form('XML')]), 'ram.xml'],
    ] as const) {
      const archive = await openArchive(blobSource(file), name);
      const { signatures, facts } = await archive.guide(archive.entries[0]?.member ?? '');
      expect(signatures).toBe(told?.join(' '));
      expect(facts.flags).toEqual(flags);
    }
  });

  test('APPROVAL-12 a rejected release leaves the publication approved, and each signature states what it is for', async () => {
    const { guideid, revisionid } = await ok<Guide>(shop.ana.call('GET', `/guides/${guide.guideid}`));
    await ok(shop.ana.call('POST', `/guides/${guideid}/releases?revisionid=${revisionid}`, {}));
    const { approval_requestid, purpose } = await shop.request(guideid);
    expect(purpose).toBe('release');
    expect(await form('HTML')).not.toContain('not approved');
    await ok(shop.sign(shop.tom, approval_requestid, 'reject', { comment: 'Not yet' }));
    const [page, xml] = [await form('HTML'), await form('XML')];
    expect(page).not.toContain('not approved');
    expect(page).toContain('Publication · Press safety · Quality');
    expect(page).toContain('Release · Press safety · Check');
    expect(xml).toMatch(/Quinn: approved, [^(]+\(Press safety, publication\)/);
    expect(xml).toMatch(/Tom: rejected, [^(]+\(Press safety, release\)/);
  });

  test('APPROVAL-12 a later version does not show the signatures; the signed version still does', async () => {
    const before = await ok<Guide>(shop.ana.call('GET', `/guides/${guide.guideid}`));
    const path = `/guides/${guide.guideid}?revisionid=${before.revisionid}`;
    await ok(shop.ana.call('PATCH', path, { summary: 'Another seal' }));
    const [page, xml] = [await form('HTML'), await form('XML')];
    expect(page).toContain('This version is not approved.');
    for (const text of [page, xml]) expect(text).not.toContain('Quinn');
    expect(await form('HTML', `&revisionid=${before.revisionid}`)).toContain('<b>Quinn</b>');
  });

  test('APPROVAL-12 a release that another guide requires brings its signatures to devices', async () => {
    const first = await shop.guide({ public: true, title: 'Lock out' });
    await shop.signAll((await shop.request(first.guideid)).approval_requestid);
    const { revisionid } = await ok<Guide>(shop.ana.call('GET', `/guides/${first.guideid}`));
    await ok(shop.ana.call('POST', `/guides/${first.guideid}/releases?revisionid=${revisionid}`, {}));
    await shop.signAll((await shop.request(first.guideid)).approval_requestid);
    const asking = await shop.guide({
      category: 'Workshop',
      public: true,
      prerequisites: [first.guideid],
      prerequisite_releases: [{ guideid: first.guideid, releaseid: null }],
    });
    const [pin] = (await onDevice(shop.lea, asking.guideid))?.prerequisite_releases ?? [];
    expect(pin?.released?.approval?.requests.map((one) => [one.purpose, one.signatures.length])).toEqual([
      ['publish', 3],
      ['release', 3],
    ]);
  });

  test('APPROVAL-3 APPROVAL-4 an imported guide gets the process of its category and becomes public only when approved', async () => {
    await using other = await startServer();
    const ben = await other.person('Ben', ['User', 'Author', 'Moderator', 'Admin']);
    await other.category('Press');
    const body = { category: 'Press', type: 'repair', title: 'Ram from elsewhere', public: true };
    await ok(
      ben.call('POST', '/guides', { ...body, steps: [{ title: 'Vent', lines: [{ text: 'Open it' }] }] }),
    );
    const done = await imported(shop.server, shop.mira, await exported(other, ben, { site: true }));
    expect(done).toMatchObject({ state: 'done' });
    const [request] = await ok<ApprovalRequest[]>(
      shop.mira.call('GET', '/approvals/requests?status=pending'),
    );
    expect(request).toMatchObject({ title: 'Ram from elsewhere', requester: { userid: shop.mira.userid } });
    const path = `/guides/${request?.guideid}`;
    expect(await ok<Guide>(shop.mira.call('GET', path))).toMatchObject({ public: false });
    expect((await shop.lea.call('GET', path)).status).toBe(404);
    await shop.signAll(request?.approval_requestid ?? 0);
    expect((await shop.lea.call('GET', path)).status).toBe(200);
  });
});
