/**
 * Sends the benchmark, on request, the processor time that this process has used so far, in ms. Ends this process with the
 * benchmark.
 */
export function tellProcessor(): void {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1000);
  });
}
