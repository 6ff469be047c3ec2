/** `npm start`. What it loads takes a second, so that the process is set up before. */
import { restartWithMemorySettings } from './memory.ts';

restartWithMemorySettings();
await import('./run.ts');
