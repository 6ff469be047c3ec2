let isLeft = false;

/** Notes that the sign-in has left the page, and with it the focus. */
export function leaveSignIn(): void {
  isLeft = true;
}

/** Whether the sign-in has left since the last question. */
export function hasLeftSignIn(): boolean {
  const was = isLeft;
  isLeft = false;
  return was;
}
