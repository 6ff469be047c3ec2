import { ArchiveService } from './archives/archive-service.ts';
import type { Core } from '../account/core.ts';
import { DraftManager } from './editing/draft-manager.ts';
import { Leaving } from './leaving/leaving.ts';
import { MediaLibrary } from './media/library.ts';
import { PreparedSignatures } from '../account/prepared-signatures.ts';
import { GuideIndex } from './records/guide-index.ts';
import { type Sources, createSources } from './records/sources.ts';

/** The services that views and actions share. An engine has one of each. */
export interface Services {
  sources: Sources;
  drafts: DraftManager;
  index: GuideIndex;
  media: MediaLibrary;
  archives: ArchiveService;
  leaving: Leaving;
  prepared: PreparedSignatures;
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
  return {
    sources,
    drafts,
    index,
    media,
    prepared: new PreparedSignatures(core.journal, core.session),
    leaving: new Leaving({ core, sources, drafts, media: media.cache }),
    archives: new ArchiveService(core, async (source, filename) => {
      // Loaded later: the code that reads archives is large, and not needed at the start.
      const { openArchive } = await import('#shared/formats/omanual/read.ts');
      return openArchive(source, filename);
    }),
  };
}

/** Journals pending edits and ends all background work. To be called before the core closes. */
export async function closeServices(core: Core): Promise<void> {
  const services = known.get(core);
  if (services === undefined) return;
  known.delete(core);
  await services.leaving.close();
  services.media.close();
  services.prepared.close();
  services.index.close();
  await services.archives.close();
  await services.drafts.close();
}
