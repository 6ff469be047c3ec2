import { firstValueFrom } from 'rxjs';

import { guides } from '#shared/api/guides.ts';
import { Problem, notFound } from '#shared/api/problem.ts';
import { releases } from '#shared/api/releases.ts';
import { type GuideContent, contentOf } from '#shared/rules/guide-content.ts';
import { guideEditBody } from '#shared/rules/guide-edit-body.ts';

import { textsOnDevice, uniqueRevisions } from '../areas/guide-history.ts';
import type { GuideHistoryActions, RevisionView, VersionText } from '../api/guide-history.ts';
import type { ActionContext } from '../features/action-context.ts';
import { openDraft, saveDraft } from './drafts.ts';
import { serverClient } from './server-client.ts';

const pageSize = 200;

/**
 * - GUIDE-HISTORY-1 The server lists all revisions of a guide; without it, those whose text is on this device are listed.
 * - GUIDE-HISTORY-2 An earlier revision is restored as a new one, through the outbox. Flags and prerequisites stay as they
 *   are now. While the person has changes of their own that are not on the server, nothing is restored.
 * - GUIDE-HISTORY-4 A guide is restored or released only as the person saw it. If somebody saved it meanwhile, the person
 *   looks at it again first.
 */
export function guideHistoryActions(context: ActionContext): GuideHistoryActions {
  const { core } = context.sources;
  const client = serverClient(core, { releases, guides });
  return {
    async openedGuide(guideid, open) {
      const id = context.resolve(guideid);
      if (id.startsWith('tmp:')) return [];
      const others = await client.guides.editors({ params: { guideid: id }, body: { open } });
      return others.map(({ username }) => username);
    },
    async guideRevisions(guideid) {
      const params = { guideid: context.resolve(guideid) };
      const found: RevisionView[] = [];
      for (let offset = 0; ; offset += pageSize) {
        const page = await client.releases.revisions({ params, query: { limit: pageSize, offset } });
        found.push(
          ...page.map(({ guide_revisionid, revision_number, date, user }) => ({
            number: revision_number,
            guide_revisionid,
            at: date * 1000,
            author: user?.username ?? '',
          })),
        );
        if (page.length < pageSize) return uniqueRevisions(found);
      }
    },
    guideVersion: (guideid, guide_revisionid) => readVersion(context, guideid, guide_revisionid),
    async restoreVersion(guideid, guide_revisionid, seen) {
      const { drafts } = context;
      const version = await readVersion(context, guideid, guide_revisionid);
      await drafts.toEdit();
      const id = context.resolve(guideid);
      const record = await core.mirror.get('guides', id);
      if (record === null) throw notFound('Guide');
      if (drafts.find(id)?.draft.isDirty() === true || drafts.openSaves(id).length > 0)
        throw new Problem('conflict', 'Send or discard your own changes to this guide first.');
      if (record.facts.revisionid !== seen)
        throw new Problem(
          'conflict',
          'Someone saved this guide meanwhile. Look at the newest revision, then restore.',
        );
      const restored = restoredContent(contentOf(record.facts), version);
      if (guideEditBody(record.facts, restored) === null)
        throw new Problem('invalid', 'The guide has this text already, so there is nothing to restore.');
      await openDraft(context, id);
      drafts.read(id).draft.replace(restored);
      try {
        await saveDraft(context, id);
      } catch (error) {
        await drafts.discard(id);
        throw error;
      }
    },
    async releaseGuide(guideid, seen, release) {
      const params = { guideid: context.resolve(guideid) };
      await client.releases
        .create({ params, revisionid: seen, body: release })
        .finally(() => core.sync.now());
    },
  };
}

async function readVersion(
  context: ActionContext,
  guideid: string,
  guide_revisionid: number,
): Promise<VersionText> {
  const id = context.resolve(guideid);
  const here = await firstValueFrom(textsOnDevice(context.sources, id));
  const client = serverClient(context.sources.core, { releases });
  return (
    here.find((text) => text.guide_revisionid === guide_revisionid) ??
    client.releases.revision({ params: { guideid: id, guide_revisionid: String(guide_revisionid) } })
  );
}

/** The content of a guide after an earlier version is restored. */
function restoredContent(present: GuideContent, version: VersionText): GuideContent {
  const { flags, prerequisites } = present;
  return { ...contentOf({ ...version, prerequisites: [] }), flags, prerequisites };
}
