import pg from 'pg'
import { errorCode } from '../error-code.ts'
import { OperatorError } from '../operator-error.ts'

/** The time in which an external server must accept a connection at the start. */
const connectTimeoutMs = 10_000

/** A connection to an external server: its URL, and the setting that the operator corrects when it fails. */
export type ExternalConnection = { url: string; setting: 'DATABASE_URL' | 'DATABASE_APP_URL' }

/** Connects once and disconnects. Throws an `OperatorError` that says why this is not possible. */
export async function requireConnection(connection: ExternalConnection): Promise<void> {
  // options of the URL have precedence over the others
  const client = new pg.Client({ connectionTimeoutMillis: connectTimeoutMs, connectionString: connection.url })
  client.on('error', () => {}) // `connect` rejects with the error
  try {
    await client.connect()
    await client.end()
  } catch (error) {
    const { address, setting } = describeConnection(connection)
    const silence = `The server at ${address} does not answer like PostgreSQL (${messageOf(error)}): correct ${setting}.`
    throw explainFailure(error, connection) ?? new OperatorError(silence, { cause: error })
  }
}

/** Returns the `OperatorError` for a failure that the operator can correct; undefined for all others. */
export function explainFailure(error: unknown, connection: ExternalConnection): OperatorError | undefined {
  if (error instanceof OperatorError) return error
  const explain = explanations[errorCode(error)] ?? explanations[errorCode(causeOf(error))]
  return (
    explain &&
    new OperatorError(explain({ ...describeConnection(connection), reason: messageOf(causeOf(error) ?? error) }), { cause: error })
  )
}

type Description = { address: string; role: string; database: string; setting: string }
type Explain = (description: Description & { reason: string }) => string

const explainUnknownHost: Explain = ({ address, setting }) =>
  `The host of ${address} was not found: correct ${setting}, or check the network.`
const explainSilence: Explain = ({ address, setting }) =>
  `The server at ${address} cannot be reached: check the network and the firewall, or correct ${setting}.`
const explainRefusal: Explain = ({ address, role, setting, reason }) =>
  `PostgreSQL at ${address} refuses the role ${role} (${reason}): correct the name and the password in ${setting}, or pg_hba.conf.`
const explainCertificate: Explain = ({ address, setting, reason }) =>
  `The certificate of PostgreSQL at ${address} cannot be verified (${reason}): name its authority in ${setting} with sslrootcert=FILE.`

/** The sentences by the code of Node or PostgreSQL. */
const explanations: Record<string, Explain> = {
  ECONNREFUSED: ({ address, setting }) => `No server listens at ${address}: start PostgreSQL there, or correct ${setting}.`,
  ENOENT: ({ address, setting }) => `No server listens at ${address}: start PostgreSQL there, or correct ${setting}.`,
  ENOTFOUND: explainUnknownHost,
  EAI_AGAIN: explainUnknownHost,
  ETIMEDOUT: explainSilence,
  EHOSTUNREACH: explainSilence,
  ENETUNREACH: explainSilence,
  '28P01': explainRefusal,
  '28000': explainRefusal,
  '3D000': ({ address, database, role, setting }) =>
    `PostgreSQL at ${address} has no database ${database}: run CREATE DATABASE ${database} OWNER ${role}, or correct ${setting}.`,
  '42501': ({ database, role, reason }) =>
    `The role ${role} has too few rights on the database ${database} (${reason}): run ALTER DATABASE ${database} OWNER TO ${role}.`,
  '25006': ({ address, setting }) => `PostgreSQL at ${address} is a copy that cannot be written: set ${setting} to the primary server.`,
  '53300': ({ address }) => `PostgreSQL at ${address} has no connection left: end other programs, or raise its max_connections.`,
  '57P03': ({ address, reason }) => `PostgreSQL at ${address} is not ready (${reason}): start Foyer again in a moment.`,
  '0A000': ({ address, reason }) =>
    `PostgreSQL at ${address} lacks something that Foyer needs (${reason}): install its contrib package, which has the extensions.`,
  DEPTH_ZERO_SELF_SIGNED_CERT: explainCertificate,
  SELF_SIGNED_CERT_IN_CHAIN: explainCertificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: explainCertificate,
  CERT_HAS_EXPIRED: explainCertificate,
  ERR_TLS_CERT_ALTNAME_INVALID: explainCertificate,
}

/** Describes a connection without its password. */
function describeConnection({ url, setting }: ExternalConnection): Description {
  const { host, port, user, database } = new pg.Client({ connectionString: url })
  const address = host.startsWith('/') ? host : `${host}:${port}`
  return { address, role: user ?? '', database: database ?? '', setting }
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message || errorCode(error) : String(error))
