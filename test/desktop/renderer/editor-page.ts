import type { GuideEditOperation } from '#desktop/engine/api/records.ts';

import type { AppPage } from './app-page.ts';

export const grinder = '/guides/9001/edit';

/** The edits that reached the draft, in order. */
export async function edits(app: AppPage): Promise<GuideEditOperation[]> {
  return (await app.calls('editDraft')).map((args) => args[1] as GuideEditOperation);
}

/** The current content of the draft. */
export function content(app: AppPage) {
  return app.page.evaluate(() => window.fixture.world().drafts[0]?.content ?? null);
}
