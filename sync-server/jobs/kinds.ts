import { importJob } from '#server/features/training/import-job.ts';

import { collectJob } from '../features/omanual/make/collect.ts';
import { makeJob } from '../features/omanual/make/make.ts';
import { importJob as archiveImportJob } from '../features/omanual/import/import.ts';
import { undoJob } from '../features/omanual/import/undo.ts';
import type { JobKind } from './kind.ts';

/** Every kind of job that the server does. */
export const jobKinds: JobKind[] = [importJob, collectJob, makeJob, archiveImportJob, undoJob];
