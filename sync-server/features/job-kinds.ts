import { importJob } from './training/import-job.ts';

import { collectJob } from './omanual/make/collect.ts';
import { makeJob } from './omanual/make/make.ts';
import { importJob as archiveImportJob } from './omanual/import/import.ts';
import { undoJob } from './omanual/import/undo.ts';
import type { JobKind } from '../jobs/kind.ts';

/** All kinds of jobs. */
export const jobKinds: JobKind[] = [importJob, collectJob, makeJob, archiveImportJob, undoJob];
