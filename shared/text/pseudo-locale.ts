/** The language tag of the pseudo-locale: the private-use region of CLDR for accented English. */
export const pseudoLocale = 'en-XA';
