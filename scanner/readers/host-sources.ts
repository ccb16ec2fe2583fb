/** Sources whose results are about hosts: the `path` of their findings is an address and a port, not a file. */
export const hostSources: ReadonlySet<string> = new Set(['nessus', 'nexpose', 'nmap', 'openvas', 'qualys']);
