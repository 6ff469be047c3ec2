/** What one check of a data folder found. */
export interface Finding {
  /** Name of the check, for scripts: `disk`, `backup-age`. */
  check: string;
  level: 'ok' | 'warning' | 'error';
  /** What is so, in a sentence. */
  message: string;
  /** What to do, in sentences; absent where nothing has to be done. */
  advice?: string;
}

export const ok = (check: string, message: string): Finding => ({ check, level: 'ok', message });

export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'warning',
  message,
  advice,
});

export const fault = (check: string, message: string, advice: string): Finding => ({
  check,
  level: 'error',
  message,
  advice,
});

/** `3 days`, `5 hours`: a span of time for messages, in the largest unit that fits. `ms`: milliseconds. */
export function span(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  const [count, unit] =
    minutes < 90
      ? [minutes, 'minute']
      : minutes < 36 * 60
        ? [Math.round(minutes / 60), 'hour']
        : [Math.round(minutes / 1440), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** `12.5 MB`: a size for messages. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} KB`;
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}
