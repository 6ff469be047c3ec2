import type { ErrorBox } from './electron.ts';

/** Why the program does not start. `detail`: what it found; `hint`: what a person can do. */
export interface Refusal {
  title: string;
  detail: string;
  hint: string;
}

interface RefusalCare {
  app: { whenReady(): Promise<unknown>; exit(code: number): void };
  dialog: ErrorBox;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/** Says that the program does not start, and why, and ends it. */
export async function refuseStart(
  { title, detail, hint }: Refusal,
  { app, dialog, report }: RefusalCare,
): Promise<void> {
  report(`${title} (${detail}). ${hint}`);
  // Before that, a dialog is not shown.
  await app.whenReady();
  dialog.showErrorBox(title, `${detail}\n\n${hint}`);
  app.exit(1);
}
