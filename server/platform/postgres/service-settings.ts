/** Settings that the service depends on, set regardless of those of the server, the database or the login. */
export const serviceSettings = {
  // The statements are short: compiling or parallelising one costs more than it saves (lists took 840 ms instead of 4 ms).
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  work_mem: '8MB',
  // Indexes are in memory or on solid-state disks: with the default of 4 the planner reads whole tables instead.
  random_page_cost: '1.1',
  TimeZone: 'UTC',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  idle_in_transaction_session_timeout: '60s',
};
