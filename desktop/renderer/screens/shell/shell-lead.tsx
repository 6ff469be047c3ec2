import { createContext, use, type ReactNode } from 'react';
import { createPortal } from 'react-dom';

/** The place in the header that a screen may fill, instead of navigation and search. */
export const ShellLeadContext = createContext<HTMLElement | null>(null);

/** Puts a screen's own heading into the header. */
export function ShellLead({ children }: { children: ReactNode }) {
  const place = use(ShellLeadContext);
  return place === null ? null : createPortal(children, place);
}
