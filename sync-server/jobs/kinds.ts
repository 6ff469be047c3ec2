import { importJob } from '#server/training/import-job.ts';

import { collectJob } from './archive-make/collect.ts';
import { makeJob } from './archive-make/make.ts';
import { importJob as archiveImportJob } from './archive-import/import.ts';
import { undoJob } from './archive-import/undo.ts';
import type { JobKind } from './kind.ts';

/** Every kind of job that the server does. */
export const jobKinds: JobKind[] = [importJob, collectJob, makeJob, archiveImportJob, undoJob];
