/** Writes the vectors of `docs/sync-protocol-vectors.json` anew. Look at the difference before you commit it. */
import { writeFileSync } from 'node:fs';

import { vectorsPath, vectorsText } from './files.ts';
import { playVectors } from './vectors.ts';

writeFileSync(vectorsPath, vectorsText(await playVectors()));
