/** The program of `npm start`. Loading the server takes a second, so the process is replaced before that. */
import { restartWithMemorySettings } from './bootstrap/memory.ts';

restartWithMemorySettings();
await import('./run.ts');
