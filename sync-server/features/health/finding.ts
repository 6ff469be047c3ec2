/** The result of one check of a data folder. */
export interface Finding {
  /** Name of the check, for scripts: `disk`, `backup-age`. */
  check: string;
  level: 'ok' | 'warning' | 'error';
  /** One sentence. */
  message: string;
  /** What to do, in sentences; absent if nothing needs to be done. */
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

/** A duration for messages, such as `3 days`. `ms`: milliseconds. */
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

/** A size for messages, such as `12.5 MB`. */
export function sizeOf(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} KB`;
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MB` : `${(bytes / 1024 ** 3).toFixed(1)} GB`;
}
