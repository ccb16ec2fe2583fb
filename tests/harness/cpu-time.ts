/**
 * Returns the processor time that this process has used, in milliseconds. A limit on it also holds on a busy machine.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
