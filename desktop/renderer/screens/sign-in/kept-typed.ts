/** What a person typed into the sign-in, without the password. */
export interface Typed {
  /** Null: nothing, so that the form suggests a server. */
  server: string | null;
  email: string;
}

const key = 'benchbook.typed';

/** Keeps in this tab what was typed, for the form after the page is loaded again. */
export function keepTyped({ server, email }: Typed): void {
  const kept = new URLSearchParams({ email, ...(server !== null && { server }) });
  sessionStorage.setItem(key, kept.toString());
}

/** Returns what was kept, and forgets it. */
export function takeTyped(): Typed {
  const kept = new URLSearchParams(sessionStorage.getItem(key) ?? '');
  sessionStorage.removeItem(key);
  return { server: kept.get('server'), email: kept.get('email') ?? '' };
}
