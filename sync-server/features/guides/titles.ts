const patterns: Record<string, (category: string, subject: string) => string> = {
  installation: (category, subject) => `Installing ${category} ${subject}`,
  repair: (category, subject) => `Repairing ${category} ${subject}`,
  disassembly: (category, subject) => `Disassembling ${category} ${subject}`,
  teardown: (category) => `${category} Teardown`,
  replacement: (category, subject) => `${category} ${subject} Replacement`,
  maintenance: (category, subject) => `${category} ${subject} Maintenance`,
  technique: (category, subject) => `${subject === '' ? category : subject} Technique`,
  'how-to': (category, subject) => `How to ${subject === '' ? category : subject}`,
};

/** The title of a guide made without one: from type, category and subject (spec, "POST /guides body"; API facts 5). */
export function generatedTitle(guide: { type: string; category: string; subject: string }): string {
  const title = patterns[guide.type]?.(guide.category, guide.subject) ?? `${guide.category} ${guide.subject}`;
  return title.trim().replaceAll(/\s+/g, ' ');
}
