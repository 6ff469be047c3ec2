import type { ApprovalRequest } from '#shared/model/approval.ts';
import type { Guide } from '#shared/model/guide-record.ts';
import type { Wiki } from '#shared/model/wiki-record.ts';
import { ok, openShop, type Shop } from '#test/support/approvals.ts';
import type { TestPerson } from '#test/support/server.ts';

export let shop: Shop;
export async function startWorld(): Promise<void> {
  shop = await openShop();
}
export async function endWorld(): Promise<void> {
  await shop[Symbol.asyncDispose]();
}

export const read = (person: TestPerson, guideid: number): Promise<Guide> =>
  ok<Guide>(person.call('GET', `/guides/${guideid}`));

export const publish = ({ guideid, revisionid }: Guide): Promise<Guide> =>
  ok<Guide>(shop.ana.call('PUT', `/guides/${guideid}/public?revisionid=${revisionid}`));

export const wikiidOf = async (title: string): Promise<number> =>
  (await ok<Wiki>(shop.mira.call('GET', `/wikis/CATEGORY/${encodeURIComponent(title)}`))).wikiid;

/** A guide waiting for its signatures. */
export async function asked(fields: object = {}): Promise<{ guide: Guide; request: ApprovalRequest }> {
  const guide = await shop.guide({ public: true, ...fields });
  return { guide, request: await shop.request(guide.guideid) };
}

export const stageOf = (userids: number[], more: object = {}): object => ({
  name: 'Check',
  userids,
  ...more,
});
