import { expect, test } from 'vitest';

import type { Guide } from '#shared/model/guide-record.ts';
import type { Release } from '#shared/model/release.ts';
import { ok } from '#test/support/approvals.ts';

import { asked, read, shop } from './world.ts';

/** Approval of releases. */
export function testReleases(): void {
  test('APPROVAL-4 APPROVAL-9 a release waits for its approval and is created with the last signature', async () => {
    const { ana, lea } = shop;
    const { guide, request } = await asked();
    await shop.signAll(request.approval_requestid);
    const published = await read(ana, guide.guideid);
    const releases = `/guides/${guide.guideid}/releases`;
    const asking = ana.call('POST', `${releases}?revisionid=${published.revisionid}`, {
      title: 'v1',
      notes: 'First',
    });
    const release = await ok<Release>(asking);
    expect(release).toMatchObject({ status: 'pending', release_date: null, title: 'v1' });
    expect(await ok(lea.call('GET', releases))).toEqual({ releases: [] });
    expect((await lea.call('GET', `${releases}/${release.releaseid}`)).status).toBe(404);
    expect((await ana.call('POST', `${releases}?revisionid=${published.revisionid}`, {})).status).toBe(422);
    const second = await shop.request(guide.guideid);
    expect(second).toMatchObject({ purpose: 'release', status: 'pending', releaseid: release.releaseid });
    expect(second.last_public_revisionid).toBeNull();
    await shop.signAll(second.approval_requestid);
    const { releases: made } = await ok<{ releases: Release[] }>(lea.call('GET', releases));
    expect(made).toMatchObject([
      { releaseid: release.releaseid, status: 'released', user: { userid: ana.userid } },
    ]);
    const released = await ok<Guide>(lea.call('GET', `${releases}/${release.releaseid}`));
    expect(
      released.approval?.requests.map((one) => [one.purpose, one.status, one.signatures.length]),
    ).toEqual([
      ['publish', 'approved', 3],
      ['release', 'approved', 3],
    ]);
  });

  test('APPROVAL-4 a refused release is removed, and another can be requested', async () => {
    const { ana, tom } = shop;
    const { guide, request } = await asked();
    await shop.signAll(request.approval_requestid);
    const published = await read(ana, guide.guideid);
    const releases = `/guides/${guide.guideid}/releases`;
    const ask = () => ok<Release>(ana.call('POST', `${releases}?revisionid=${published.revisionid}`, {}));
    const first = await ask();
    const id = (await shop.request(guide.guideid)).approval_requestid;
    expect(await ok(shop.sign(tom, id, 'reject', { comment: 'Not yet' }))).toMatchObject({ releaseid: null });
    expect((await ask()).releaseid).not.toBe(first.releaseid);
  });
}
