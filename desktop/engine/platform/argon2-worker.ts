import { argon2Here } from './argon2-here.ts';
import type { Argon2Work } from './argon2.ts';

// Hashes one text, and answers with the hash.
addEventListener('message', ({ data }: MessageEvent<Argon2Work>) => postMessage(argon2Here(data)));
