/**
 * Returns the processor time that this process has used, in milliseconds. A limit on it also holds on a busy machine.
 */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/**
 * Returns the processor time of this thread in milliseconds, which is the time for which the event loop was blocked.
 * Password hashes and the like run in other threads.
 */
export function threadCpuTimeMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
