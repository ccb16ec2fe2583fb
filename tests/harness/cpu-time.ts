/** The processor time that this process has used, in milliseconds: a bound on it holds on a busy machine too. */
export function cpuTimeMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
