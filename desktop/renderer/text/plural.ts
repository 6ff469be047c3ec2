/** "1 change", "3 changes". */
export function count(number: number, one: string, many: string): string {
  return `${new Intl.NumberFormat('en').format(number)} ${number === 1 ? one : many}`;
}
