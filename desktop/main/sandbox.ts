import type { CommandLine, ErrorBox } from './electron.ts';

/** Switches with which the system does not confine the page, or less. Electron adds the first one for a variable. */
const openings = ['no-sandbox', 'disable-seccomp-filter-sandbox', 'no-zygote-sandbox'];

/** What the program says before it ends. */
const text = {
  title: 'Benchbook does not start without its sandbox',
  hint:
    'The sandbox keeps what the app shows away from this computer. Start Benchbook without this switch or variable. ' +
    'An AppImage adds it by itself where programs may not make user namespaces: there, install the Debian package.',
};

/** Why the program must not start: a switch that takes away its sandbox; null if there is none. */
export function sandboxOpening(commandLine: CommandLine): string | null {
  return openings.find((name) => commandLine.hasSwitch(name)) ?? null;
}

interface RefusalCare {
  app: { whenReady(): Promise<unknown>; exit(code: number): void };
  dialog: ErrorBox;
  /** Writes one line to the log. */
  report: (line: string) => void;
}

/** Says that the program does not start with this switch, and ends it. */
export async function refuseStart(opening: string, { app, dialog, report }: RefusalCare): Promise<void> {
  report(`${text.title} (--${opening}). ${text.hint}`);
  // Before that, a dialog is not shown.
  await app.whenReady();
  dialog.showErrorBox(text.title, `--${opening}\n\n${text.hint}`);
  app.exit(1);
}
