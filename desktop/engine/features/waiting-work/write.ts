import { firstValueFrom } from 'rxjs';

import type { ByteSink } from '#shared/formats/omanual/source.ts';
import { contentOf } from '#shared/rules/guide-content.ts';
import { temporaryId } from '#shared/sync/wire.ts';

import { bodyOf } from '#desktop/engine/outbox/journaled-records.ts';
import { toBase64 } from '#desktop/engine/platform/base64.ts';
import { entryContextOf } from '#desktop/engine/outbox/kinds/work-orders.ts';
import { guideSaveOf } from '#desktop/engine/outbox/kinds/guides.ts';
import { JournalError } from '#desktop/engine/journal/journal.ts';
import { aboutOf, uidOf, wordsOfCall } from '#desktop/engine/outbox/about-call.ts';
import type { About } from '#desktop/engine/outbox/kinds/kind.ts';
import { contestedWords, ownWords } from '#desktop/engine/outbox/own-words.ts';
import { type KeptWords, needsPerson } from '#desktop/engine/account/leaving/quarantine.ts';
import type { OpenDraft } from '#desktop/engine/drafts/open-draft.ts';
import { callVersion, isUnreadable } from '#desktop/engine/outbox/at-rest.ts';
import type { OutboxCall } from '#desktop/engine/platform/ports.ts';
import type { Services } from '../services.ts';
import { isOpen } from '../records/overlay/applies.ts';
import { pieceOfFile, workFileVersion, type WorkLine } from './format.ts';
import type { WorkOwner } from '#desktop/engine/account/work-control.ts';
import type { ExportedWork } from '#desktop/engine/api/engine.ts';

type Deps = Pick<Services, 'sources' | 'drafts' | 'prepared' | 'forms'>;

/** Writes the waiting work of `owner` as a file (README). What the person does meanwhile may be missing in it. */
export async function writeWork(deps: Deps, owner: WorkOwner, sink: ByteSink): Promise<ExportedWork> {
  const { sources, drafts, prepared, forms } = deps;
  const { core } = sources;
  await drafts.ready();
  await drafts.flush();
  const encoder = new TextEncoder();
  const write = (line: object): Promise<void> => {
    core.mustHold();
    return sink.write(encoder.encode(`${JSON.stringify(line)}\n`));
  };
  const put = (line: WorkLine): Promise<void> => write(line);
  await write({
    format: 'benchbook-waiting-work',
    version: workFileVersion,
    exportedAt: core.environment.now(),
    owner,
  });
  const waiting = core.outbox.present().filter(isOpen);
  const calls = waiting.filter((call) => !isUnreadable(call) && call.kind !== 'archive-import');
  const done: ExportedWork = { calls: 0, drafts: 0, left: waiting.length - calls.length };
  await put({ ids: idsOf(deps, calls) });
  // Files are written before the calls that send them.
  for (const { fileId } of calls) if (fileId !== null) done.left += await writeFile(deps, fileId, put);
  for (const call of calls) {
    const words = wordsOfContest(deps, call);
    if (words === null) {
      await put({ call: withoutBase(call), version: callVersion });
      done.calls += 1;
    } else {
      await put({ words });
      done.drafts += 1;
    }
  }
  for (const open of (await firstValueFrom(drafts.drafts)).values()) {
    const line = await draftLine(deps, open);
    if (line === null) continue;
    await put(line);
    done.drafts += 1;
  }
  for (const words of (await firstValueFrom(core.leaving.kept)).filter(needsPerson)) {
    await put({ words });
    done.drafts += 1;
  }
  done.left += (await firstValueFrom(drafts.unreadable)).length;
  done.left += (await firstValueFrom(prepared.decisions)).size;
  done.left += (await forms.all()).size;
  await put({ end: { calls: done.calls, drafts: done.drafts } });
  return done;
}

/** The real ids of the temporary ids in these calls, where known. */
function idsOf({ sources }: Deps, calls: readonly OutboxCall[]): Record<string, string> {
  const named = calls.flatMap(({ needs, target }) => [...needs.map(temporaryId), target.id]);
  return Object.fromEntries(
    named.flatMap((id) => {
      const real = sources.core.outbox.realId(id);
      return real === undefined ? [] : [[id, real]];
    }),
  );
}

/** Writes a file of the journal. Resolves to 1 if it is lost or damaged. */
async function writeFile(
  { sources }: Deps,
  id: string,
  put: (line: WorkLine) => Promise<void>,
): Promise<0 | 1> {
  const file = await sources.core.journal.readFile(id).catch((error: unknown) => {
    if (error instanceof JournalError && (error.kind === 'missing' || error.kind === 'damaged')) return null;
    throw error;
  });
  if (file === null) return 1;
  const { type, name, sha256, bytes } = file;
  await put({ file: { id, type, name, sha256 } });
  for (let at = 0; at < bytes.length; at += pieceOfFile)
    await put({ bytes: toBase64(bytes.subarray(at, at + pieceOfFile)), of: id });
  await put({ fileEnd: id });
  return 0;
}

/**
 * A call without the server's version in its context. A save gets the person's own words, in case it is refused with
 * 409.
 */
function withoutBase(call: OutboxCall): OutboxCall {
  const { context } = call;
  if (typeof context !== 'object' || context === null || !('base' in context)) return call;
  // A record that was created here contains nothing of others.
  if (call.kind === 'guide-create' || call.kind === 'wiki-create') return call;
  const entry = entryContextOf(call);
  if (entry !== undefined) return { ...call, context: { ...entry, base: undefined } };
  const isSave = call.kind === 'guide-save' || call.kind === 'wiki-save';
  const { base: _, ...rest } = context;
  return { ...call, context: isSave ? { words: wordsOfCall(call) ?? [] } : rest };
}

/** The words of a save that waits for a decision; null for any other call. */
function wordsOfContest(deps: Deps, call: OutboxCall): KeptWords | null {
  const about = aboutOf(call);
  const isSave = call.kind === 'guide-save' || call.kind === 'wiki-save';
  if (call.state !== 'conflict' || about === null || !isSave) return null;
  const open = about.collection === 'guides' ? deps.drafts.find(about.id) : undefined;
  const words =
    open === undefined || open.draft.base === null
      ? (wordsOfCall(call) ?? [])
      : [
          ...ownWords(contentOf(open.draft.base), open.draft.content()),
          ...contestedWords(open.draft.conflicts),
        ];
  return keptAs(deps, about, { id: call.id, at: call.at, words, ...uidOf(call) });
}

/**
 * The unsaved words of a draft, or the whole draft of a guide that exists on this device only; null if nothing is
 * unsaved.
 */
async function draftLine(deps: Deps, open: OpenDraft): Promise<WorkLine | null> {
  const { drafts, sources } = deps;
  const { id, draft } = open;
  const saves = drafts.openSaves(id);
  if (draft.base === null) {
    if (!draft.isDirty() && saves.length === 0) return null;
    const { core } = sources;
    const ids = (await firstValueFrom(core.drafts.ids)).filter(
      (one) => one === id || one.startsWith(`${id}+`),
    );
    const stored = await Promise.all(
      ids.map(async (one) => [one, bodyOf(await core.drafts.get(one))] as const),
    );
    return { draft: id, stored: Object.fromEntries(stored) };
  }
  const isContested = saves.some(({ state }) => state === 'conflict');
  if (isContested || !drafts.hasUnsaved(open)) return null;
  const last = saves.map(guideSaveOf).at(-1);
  const words = ownWords(last?.content ?? contentOf(draft.base), draft.content());
  if (words.length === 0) return null;
  const recordid = sources.resolve(id);
  const at = sources.core.environment.now();
  const { uid } = draft.base;
  const own = { id: `draft:${recordid}`, at, words, ...(uid === undefined ? {} : { uid }) };
  return { words: keptAs(deps, { collection: 'guides', id }, own) };
}

function keptAs(
  { sources }: Deps,
  { collection, id }: About,
  own: Pick<KeptWords, 'id' | 'at' | 'words' | 'uid'>,
): KeptWords {
  const recordid = sources.resolve(id);
  return { version: 1, history: '', isOnServer: false, isComment: false, collection, recordid, ...own };
}
