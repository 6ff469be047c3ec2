import { crc32 } from 'node:zlib';

import { replaceCrc32 } from '#shared/omanual/crc32.ts';

// Archives are mostly pictures, of which nothing is computed but this.
replaceCrc32(crc32);
