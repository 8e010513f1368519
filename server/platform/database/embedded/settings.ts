import { totalmem } from 'node:os'

/**
 * Returns the settings of the embedded database, for a machine that is shared with other programs. Memory sizes depend on the machine's
 * memory.
 */
export function createServerSettings(): Record<string, string | number> {
  const memoryMb = Math.min(totalmem(), process.constrainedMemory() || Infinity) / 2 ** 20
  return {
    listen_addresses: '',
    unix_socket_directories: '../run', // relative to the cluster's folder, because the length of socket paths is limited
    unix_socket_permissions: '0700',
    max_connections: 60,
    shared_buffers: `${Math.round(Math.min(512, Math.max(64, memoryMb / 8)))}MB`,
    effective_cache_size: `${Math.round(memoryMb / 2)}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    random_page_cost: 1.1, // for an SSD
    jit: 'off',
    max_parallel_workers_per_gather: 1,
    idle_in_transaction_session_timeout: '60s',
    // statistics are updated after 2 percent of the rows changed: without statistics of a new owner, PostgreSQL would sort all rows for
    // each page
    autovacuum_analyze_scale_factor: 0.02,
    // tables are checked every 15 s: a plan that was prepared for an empty table is slow until the table has statistics
    autovacuum_naptime: '15s',
    client_connection_check_interval: '5s', // a query ends soon after its client has disconnected
    TimeZone: 'UTC',
    log_timezone: 'UTC',
    log_min_duration_statement: '1s',
    log_parameter_max_length: 0, // values may be secrets, such as a link in a queued email
    log_error_verbosity: 'terse', // the details of an error may contain emails
    log_min_error_statement: 'panic', // a statement that fails may contain emails, so it is not logged
    log_line_prefix: '%m %a ', // the time and the application name
  }
}
