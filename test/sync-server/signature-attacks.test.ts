import { afterAll, beforeAll } from 'vitest';

import { testActing } from './signature-attacks/acting.ts';
import { testProofs } from './signature-attacks/proofs.ts';
import { testTakeovers } from './signature-attacks/takeovers.ts';
import { endWorld, startWorld } from './signature-attacks/world.ts';

// All tests share one site, because starting it takes longer than most of them.
beforeAll(startWorld);
afterAll(endWorld);

testProofs();
testTakeovers();
testActing();
