// Explains to the operator why an external PostgreSQL cannot be used, and what to do.
import pg from 'pg'
import { errorCode } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'
import { MigrationError } from './migrate.ts'

/** The time in which an external server must accept a connection at the start, unless its URL has a `connect_timeout`. */
const connectTimeoutSeconds = 10

/** A connection to an external server: its URL, and the setting that the operator corrects when it fails. */
export type ExternalConnection = { url: string; setting: 'DATABASE_URL' | 'DATABASE_APP_URL' }

/** Connects once and disconnects. Throws an `OperatorError` that says why this is not possible. */
export async function requireConnection(connection: ExternalConnection): Promise<void> {
  const client = new pg.Client({ connectionTimeoutMillis: readConnectTimeoutMs(connection.url), connectionString: connection.url })
  client.on('error', () => {}) // `connect` rejects with the error
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    const explain = networkExplanations[errorCode(error)] ?? serverExplanations[errorCode(error)] ?? explainOtherError
    throw toOperatorError(explain, error, connection)
  }
}

/** Reads the option `connect_timeout` of the URL, in seconds as for libpq; the `pg` package does not read it. */
function readConnectTimeoutMs(url: string): number {
  const seconds = URL.canParse(url) ? Number(new URL(url).searchParams.get('connect_timeout')) : 0
  return (seconds > 0 ? seconds : connectTimeoutSeconds) * 1000
}

/**
 * Returns the `OperatorError` for a failure of the migrations that the operator can correct; undefined for all others. Codes of Node, such
 * as ENOENT, are not explained, because here they may be about a file and not about the connection.
 */
export function explainMigrationFailure(error: unknown, connection: ExternalConnection): OperatorError | undefined {
  if (error instanceof OperatorError) return error
  if (!(error instanceof MigrationError)) {
    const explain = serverExplanations[errorCode(error)]
    return explain && toOperatorError(explain, error, connection)
  }
  const explain = explainMigration(error)
  return explain && toOperatorError((description) => `${error.message}: ${explain(description)}`, error, connection)
}

/**
 * Returns what to do about a migration that failed. The code 42501 (insufficient privilege) is about the database or about a table; the
 * message says about which. The code 0A000 (not supported) is explained only if an extension is missing.
 */
function explainMigration({ cause }: MigrationError): Explain | undefined {
  const code = errorCode(cause)
  if (code === '42501') return /for (database|schema)|create extension/.test(messageOf(cause)) ? adviseDatabaseOwner : adviseTableOwner
  return code === '0A000' && messageOf(cause).startsWith('extension ') ? adviseExtensions : migrationRemedies[code]
}

function toOperatorError(explain: Explain, error: unknown, connection: ExternalConnection): OperatorError {
  return new OperatorError(explain({ ...describeConnection(connection), reason: messageOf(error) }), { cause: error })
}

/** What the sentences name: the address of the server, the role, the database, and the setting to correct. */
type Description = { address: string; role: string; database: string; setting: string }
/** Returns a sentence for the operator, or the end of a sentence. `reason`: the message of the error. */
type Explain = (description: Description & { reason: string }) => string

/** For all other errors of a first connection. */
const explainOtherError: Explain = ({ address, setting, reason }) =>
  `The server at ${address} does not answer like PostgreSQL (${reason}): correct ${setting}.`

const explainUnknownHost: Explain = ({ address, setting }) =>
  `The host of ${address} was not found: correct ${setting}, or check the network.`
const explainUnreachable: Explain = ({ address, setting }) =>
  `The server at ${address} cannot be reached: check the network and the firewall, or correct ${setting}.`
const explainRefusal: Explain = ({ address, role, setting, reason }) =>
  `PostgreSQL at ${address} refuses the role ${role} (${reason}): correct the name and the password in ${setting}, or pg_hba.conf.`
const explainCertificate: Explain = ({ address, setting, reason }) =>
  `The certificate of PostgreSQL at ${address} cannot be verified (${reason}): name its authority in ${setting} with sslrootcert=FILE.`

/** The sentences by the error code of Node. */
const networkExplanations: Record<string, Explain> = {
  ECONNREFUSED: ({ address, setting }) => `No server listens at ${address}: start PostgreSQL there, or correct ${setting}.`,
  ENOENT: ({ address, setting }) => `No server listens at ${address}: start PostgreSQL there, or correct ${setting}.`,
  ENOTFOUND: explainUnknownHost,
  EAI_AGAIN: explainUnknownHost,
  ETIMEDOUT: explainUnreachable,
  EHOSTUNREACH: explainUnreachable,
  ENETUNREACH: explainUnreachable,
  DEPTH_ZERO_SELF_SIGNED_CERT: explainCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: explainCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: explainCertificate,
  CERT_HAS_EXPIRED: explainCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: explainCertificate,
}

const adviseDatabaseOwner: Explain = ({ role, database }) => `run ALTER DATABASE ${database} OWNER TO ${role}.`
const adviseTableOwner: Explain = ({ role, setting }) =>
  `the role ${role} does not own what the migration changes, so set ${setting} to the role that ran the earlier migrations.`
const adviseExtensions: Explain = ({ address }) => `install the contrib package of PostgreSQL at ${address}, which has the extensions.`
const advisePrimaryServer: Explain = ({ setting }) => `set ${setting} to the primary server.`
const adviseSpace: Explain = ({ address }) => `free some space on the disk of PostgreSQL at ${address}, then start Foyer again.`

/** What to do about a failed migration, by the error code of PostgreSQL: read-only transaction, disk full. */
const migrationRemedies: Record<string, Explain> = { '25006': advisePrimaryServer, '53100': adviseSpace }

/**
 * The sentences by the error code of PostgreSQL, outside of a migration: wrong password, role refused, no database, too few rights,
 * read-only transaction, disk full, too many connections, server is starting.
 */
const serverExplanations: Record<string, Explain> = {
  '28P01': explainRefusal,
  '28000': explainRefusal,
  '3D000': ({ address, database, role, setting }) =>
    `PostgreSQL at ${address} has no database ${database}: run CREATE DATABASE ${database} OWNER ${role}, or correct ${setting}.`,
  '42501': (description) =>
    `The role ${description.role} has too few rights on the database ${description.database} (${description.reason}): ${adviseDatabaseOwner(description)}`,
  '25006': (description) => `PostgreSQL at ${description.address} is a copy that cannot be written: ${advisePrimaryServer(description)}`,
  '53100': (description) => `The database is out of space (${description.reason}): ${adviseSpace(description)}`,
  '53300': ({ address }) => `PostgreSQL at ${address} has no connection left: end other programs, or raise its max_connections.`,
  '57P03': ({ address, reason }) => `PostgreSQL at ${address} is not ready (${reason}): start Foyer again in a moment.`,
}

/** Describes a connection without its password. */
function describeConnection({ url, setting }: ExternalConnection): Description {
  const { host, port, user, database } = new pg.Client({ connectionString: url })
  const address = host.startsWith('/') ? host : `${host}:${port}`
  return { address, role: user ?? '', database: database ?? '', setting }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || errorCode(error) : String(error))
