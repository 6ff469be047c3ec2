export const followUpText = {
  title: 'Follow-up order',
  plan: 'Plan follow-up order',
  newTitle: (deviation: string) => `Follow-up order of “${deviation}”`,
  of: (deviation: string) => `Follow-up of the deviation “${deviation}”`,
  order: (number: string) => `Reported in ${number}`,
  planAsOwn: 'Plan as an order of its own',
  plannedAsOwn: 'Planned as an order of its own',
};
