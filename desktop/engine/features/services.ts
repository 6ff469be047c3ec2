import { combineLatest, map, type Observable } from 'rxjs';

import { ArchiveService } from './archives/archive-service.ts';
import type { Core } from '../account/core.ts';
import { DraftManager } from './editing/draft-manager.ts';
import { Leaving } from './leaving/leaving.ts';
import { MediaLibrary } from './media/library.ts';
import { PreparedSignatures } from '../account/prepared-signatures.ts';
import { UnsavedForms } from '../account/unsaved-forms.ts';
import { RecentGuides } from './recent-guides.ts';
import { GuideIndex } from './records/guide-index.ts';
import { type Sources, createSources, sessionOf } from './records/sources.ts';

/** The services that views and actions share. An engine has one of each. */
export interface Services {
  sources: Sources;
  drafts: DraftManager;
  index: GuideIndex;
  media: MediaLibrary;
  archives: ArchiveService;
  leaving: Leaving;
  prepared: PreparedSignatures;
  forms: UnsavedForms;
  recent: RecentGuides;
}

const known = new WeakMap<Core, Services>();

/** The services of an engine, created at the first call. */
export function servicesOf(core: Core): Services {
  const made = known.get(core) ?? create(core);
  known.set(core, made);
  return made;
}

function create(core: Core): Services {
  const sources = createSources(core);
  const { mirror, environment } = core;
  const guides = { guideRows: () => mirror.guideRows(), guide: (id: string) => mirror.get('guides', id) };
  const index = new GuideIndex(guides, environment);
  const drafts = new DraftManager(core);
  const media = new MediaLibrary(core, sources, index);
  const forms = new UnsavedForms(core);
  const prepared = new PreparedSignatures(core);
  core.beforeLeaving(() => allOf([drafts.flushAll(), prepared.flush(), forms.flush()]));
  return {
    sources,
    drafts,
    index,
    media,
    prepared,
    forms,
    recent: new RecentGuides(core.journal, sessionOf(core)),
    leaving: new Leaving({ core, sources, drafts, forms, media: media.cache }),
    archives: new ArchiveService(core, async (source, filename) => {
      // Loaded later: the code that reads archives is large, and not needed at the start.
      const { openArchive } = await import('#shared/formats/omanual/read.ts');
      return openArchive(source, filename);
    }),
  };
}

/**
 * Journals everything that is only in memory. If something cannot be stored, the rest still is; then it throws the first
 * error.
 */
export async function saveServices(core: Core): Promise<void> {
  const services = known.get(core);
  if (services === undefined) return;
  const { drafts, prepared, forms } = services;
  await allOf([drafts.flushAll(), prepared.flush(), forms.flush()]);
}

/** Whether something is only in memory; emits the present state first. */
export function holdsUnstored({ drafts, prepared, forms }: Services): Observable<boolean> {
  const isSaving = drafts.drafts.pipe(map((open) => [...open.values()].some((one) => one.isSaving)));
  return combineLatest([isSaving, prepared.isBusy, forms.isBusy]).pipe(map((busy) => busy.includes(true)));
}

/**
 * Journals pending edits and ends all background work. To be called before the core closes. A part that cannot be closed
 * does not keep the others from it; then it throws the first error.
 */
export async function closeServices(core: Core): Promise<void> {
  const services = known.get(core);
  if (services === undefined) return;
  const saving = saveServices(core);
  known.delete(core);
  const { leaving, media, prepared, forms, index, archives, drafts, recent } = services;
  // What a person typed comes first: the end of the others may take long.
  await saving.catch(() => undefined);
  recent.close();
  media.close();
  index.close();
  await allOf([saving, leaving.close(), archives.close()]).finally(async () => {
    prepared.close();
    forms.close();
    await drafts.close();
  });
}

async function allOf(parts: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
