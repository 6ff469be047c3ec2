import type { ErrorBox } from './electron.ts';
import { mainTexts } from './text/en.ts';
import type { MainTexts } from './text/main-language.ts';

/** Why the program does not start. `detail`: what it found: a text, or the number of arguments. */
export interface Refusal {
  why: keyof MainTexts['refusals'];
  detail: string | number;
}

interface RefusalCare {
  app: { whenReady(): Promise<unknown>; exit(code: number): void };
  dialog: ErrorBox;
  texts: () => MainTexts;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/** Says that the program does not start, and why, and ends it. */
export async function refuseStart(
  { why, detail }: Refusal,
  { app, dialog, texts, report }: RefusalCare,
): Promise<void> {
  const english = mainTexts.refusals[why];
  report(`${english.title} (${detail}). ${english.hint}`);
  // Before that, a dialog is not shown.
  await app.whenReady();
  const { refusals, arguments: argumentsOf } = texts();
  const { title, hint } = refusals[why];
  dialog.showErrorBox(title, `${typeof detail === 'number' ? argumentsOf(detail) : detail}\n\n${hint}`);
  app.exit(1);
}
