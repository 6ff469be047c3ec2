import { crc32 } from 'node:zlib';

import { useCrc32 } from '#shared/omanual/crc32.ts';

// Archives are mostly pictures, of which nothing is computed but this.
useCrc32(crc32);
