// The only file that reads the environment and `.env`. Every setting is explained in `.env.example`.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inspect, parseEnv } from 'node:util'
import type { AiSettings } from './platform/ai/settings.ts'
import type { DatabaseSettings } from './platform/database/open.ts'
import { OperatorError } from './platform/operator-error.ts'
import { openKeyFile } from './platform/security/key-file.ts'
import type { StorageChoice } from './platform/storage/open.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A URL with a password, or a key. `reveal()` returns it; all other conversions, such as in a log or in JSON, hide the secret. */
type Secret = { reveal: () => string; toJSON: () => string; toString: () => string; [inspect.custom]: () => string }

export type Config = {
  /** Vite serves the pages from their sources. Only `npm run dev` sets it. */
  isDevelopment: boolean
  listen: { host: string; port: number }
  /** Public origin, such as `https://foyer.example`. */
  address: string
  /** The number of proxies in front of the server, whose `X-Forwarded-...` headers are trusted. */
  trustedProxies: number
  signUp: 'open' | 'closed'
  logLevel: (typeof logLevels)[number]
  /** The data folder (for the embedded database, files and the key), and whether the operator set it. */
  data: { folder: string; isConfigured: boolean }
  /** The file with the installation's key: see `KeyFile`. */
  keyFile: string
  /**
   * The connection URLs of an external PostgreSQL: for the role that owns the tables and, if set, for the role of the application.
   * Undefined: Foyer starts the embedded PostgreSQL.
   */
  database: { ownerUrl: Secret; applicationUrl: Secret | undefined } | undefined
  /** `server` is the URL of the mail server; if it is undefined, no mail is sent. `from` is the sender. */
  mail: { server: Secret | undefined; from: string }
  /** The storage of the bytes of files. */
  storage: StorageChoice
  /** In bytes. `quotaBytes`: all files of an owner. `jsonFileBytes`: a file in a JSON body. */
  fileLimits: { quotaBytes: number; jsonFileBytes: number }
  /** The maximum size of all records of an owner with their history, in bytes. */
  recordQuotaBytes: number
  ai: AiSettings
  /** Hosts with private addresses that outbound requests to addresses of users may reach. */
  allowedHosts: readonly string[]
  /** The free space in bytes below which the disk counts as low. */
  minFreeBytes: number
}

/** Reads the settings of this machine from `.env` next to package.json, and from the environment, which takes precedence. */
export function readConfigFromEnvironment(): Config {
  return readConfig({ ...readEnvFile(join(root, '.env')), ...process.env })
}

function readEnvFile(file: string): Record<string, string | undefined> {
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  } catch (error) {
    throw new OperatorError(
      `Foyer cannot read ${file} (${error instanceof Error ? error.message : ''}): give the account that runs Foyer the right to read it.`,
      { cause: error },
    )
  }
}

/** Reads the settings. An empty setting counts as not set, except for numbers. Throws an `OperatorError` with one line per mistake. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const mistakes: string[] = []
  const read = createReader(env, mistakes)
  const host = read.listenHost('HOST') ?? '127.0.0.1'
  const port = read.number('PORT', 3000, 65_535)
  const address = read.origin('FOYER_URL') ?? `http://${toBrowserHost(host)}:${port}`
  const folder = read.text('FOYER_DATA')
  const data = { folder: resolve(root, folder ?? 'data'), isConfigured: folder !== undefined }
  const server = read.url('SMTP_URL', ['smtp:', 'smtps:'], 'smtps://user:password@mail.example:465')
  const ownerUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:'], 'postgres://foyer:password@db.example:5432/foyer')
  const applicationUrl = read.url('DATABASE_APP_URL', ['postgres:', 'postgresql:'], 'postgres://foyer_app:password@db.example:5432/foyer')
  if (applicationUrl && !read.text('DATABASE_URL'))
    mistakes.push('DATABASE_APP_URL needs DATABASE_URL beside it, the connection of the role that owns the tables.')
  const config: Config = {
    isDevelopment: read.text('FOYER_DEVELOPMENT') === '1',
    listen: { host, port },
    address,
    trustedProxies: read.number('FOYER_TRUST_PROXY', 0, 10),
    signUp: read.oneOf('FOYER_SIGN_UP', ['open', 'closed'], 'open'),
    logLevel: read.oneOf('FOYER_LOG', logLevels, 'info'),
    data,
    keyFile: resolve(root, read.text('FOYER_SECRET_FILE') ?? join(data.folder, 'secret.key')),
    database: ownerUrl && { ownerUrl, applicationUrl },
    mail: { server, from: read.sender('MAIL_FROM', new URL(address).hostname, server !== undefined) },
    storage: readStorage(read, mistakes) ?? { folder: join(data.folder, 'files') },
    fileLimits: {
      quotaBytes: read.number('FOYER_QUOTA_GB', 100, 1_000_000) * 1024 ** 3,
      jsonFileBytes: read.number('FOYER_JSON_FILE_MB', 10, 100) * 1024 ** 2,
    },
    recordQuotaBytes: read.number('FOYER_RECORDS_GB', 2, 1_000_000) * 1024 ** 3,
    ai: readAi(read, mistakes),
    allowedHosts: read.hosts('FOYER_ALLOWED_HOSTS'),
    minFreeBytes: read.number('FOYER_MIN_FREE_MB', 500, 100_000_000) * 1024 ** 2,
  }
  if (mistakes.length > 0) throw new OperatorError(mistakes.join('\n'))
  return config
}

/** Reads the settings of an S3-compatible store. Returns undefined when its endpoint is not set. */
function readStorage(read: ReturnType<typeof createReader>, mistakes: string[]): StorageChoice | undefined {
  const endpoint = read.origin('FOYER_S3_ENDPOINT')
  const names = ['FOYER_S3_BUCKET', 'FOYER_S3_ACCESS_KEY_ID', 'FOYER_S3_SECRET_ACCESS_KEY'] as const
  const [bucket, accessKeyId, secretAccessKey] = names.map((name) => read.text(name))
  const missing = names.filter((name) => !read.text(name))
  if (endpoint !== undefined && missing.length > 0) mistakes.push(`FOYER_S3_ENDPOINT needs ${missing.join(', ')} beside it.`)
  if (read.text('FOYER_S3_ENDPOINT') === undefined && missing.length < names.length)
    mistakes.push('The bucket and keys of an S3-compatible store need FOYER_S3_ENDPOINT beside them.')
  if (endpoint === undefined || bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return undefined
  const region = read.text('FOYER_S3_REGION') ?? 'us-east-1'
  const isPathStyle = read.oneOf('FOYER_S3_PATH_STYLE', ['1', '0'], '1') === '1'
  return { s3: { endpoint, region, bucket, isPathStyle, accessKeyId, secretAccessKey: hideSecret(secretAccessKey, 'hidden') } }
}

/** Reads the AI connection for all owners and its limit. There is no connection when its address is not set. */
function readAi(read: ReturnType<typeof createReader>, mistakes: string[]): AiSettings {
  const maxTokens = read.number('AI_TOKENS_PER_DAY', 0, 999_999_999)
  const baseUrl = read.baseUrl('AI_URL')
  const key = read.text('AI_KEY')
  const model = read.text('AI_MODEL')
  const [inputPrice, outputPrice] = [read.price('AI_INPUT_PRICE'), read.price('AI_OUTPUT_PRICE')]
  const names = ['AI_KEY', 'AI_MODEL', 'AI_IMAGE_MODEL', 'AI_INPUT_PRICE', 'AI_OUTPUT_PRICE']
  if (read.text('AI_URL') === undefined && names.some((name) => read.text(name) !== undefined))
    mistakes.push('The key, the models and the prices of the AI need AI_URL beside them.')
  if (!/^[\x21-\x7e]*$/.test(key ?? '')) mistakes.push('AI_KEY must not contain spaces or special characters.')
  if (baseUrl !== undefined && model === undefined) mistakes.push('AI_URL needs AI_MODEL beside it.')
  if ((inputPrice === null) !== (outputPrice === null)) mistakes.push('AI_INPUT_PRICE and AI_OUTPUT_PRICE need each other.')
  const maxTokensPerDay = maxTokens === 0 ? undefined : maxTokens
  if (baseUrl === undefined || model === undefined) return { connection: undefined, maxTokensPerDay }
  const secretKey = key === undefined ? undefined : hideSecret(key, 'hidden')
  const imageModel = read.text('AI_IMAGE_MODEL')
  return { connection: { baseUrl, key: secretKey, model, imageModel, inputPrice, outputPrice }, maxTokensPerDay }
}

export const pickDatabaseSettings = ({ data, database, keyFile }: Config): DatabaseSettings => ({
  data,
  external: database && { ownerUrl: database.ownerUrl.reveal(), applicationUrl: database.applicationUrl?.reveal() },
  keyFile: openKeyFile(keyFile),
})

/**
 * Creates functions that each read one setting. For an invalid setting they add a sentence to `mistakes` and return a default value, so
 * that all mistakes are reported together.
 */
function createReader(env: Record<string, string | undefined>, mistakes: string[]) {
  const text = (name: string): string | undefined => env[name]?.trim() || undefined

  const number = (name: string, fallback: number, max: number): number => {
    const value = env[name]?.trim() ?? String(fallback)
    if (/^\d{1,9}$/.test(value) && Number(value) <= max) return Number(value)
    mistakes.push(`${name} is ${value === '' ? 'empty' : `"${value}"`}; it must be a whole number from 0 to ${max}.`)
    return fallback
  }
  const listenHost = (name: string): string | undefined => {
    const value = text(name)
    if (value === undefined || URL.canParse(`http://${toBrowserHost(value)}`)) return value
    mistakes.push(`${name} is "${value}"; it must be a name or an address of this machine, such as 127.0.0.1 or 0.0.0.0.`)
    return undefined
  }
  const oneOf = <Choice extends string>(name: string, choices: readonly Choice[], fallback: Choice): Choice => {
    const value = text(name) ?? fallback
    const validChoice = choices.find((choice) => choice === value)
    if (validChoice === undefined) mistakes.push(`${name} is "${value}"; it must be one of ${choices.join(', ')}.`)
    return validChoice ?? fallback
  }
  const origin = (name: string): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const url = URL.parse(value)
    const isOrigin = url?.href === `${url?.origin}/` // without a path, query or password
    if (url && isOrigin && /^https?:$/.test(url.protocol)) return url.origin
    mistakes.push(`${name} is "${hidePassword(value)}"; it must be an http or https address without a path, such as https://foyer.example.`)
    return undefined
  }
  const baseUrl = (name: string): string | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const parsedUrl = URL.parse(value)
    const hasOnlyPath = parsedUrl && `${parsedUrl.origin}${parsedUrl.pathname}` === parsedUrl.href // without a query or password
    if (hasOnlyPath && /^https?:$/.test(parsedUrl.protocol)) return value
    // the message does not contain the value, because it may contain a key
    mistakes.push(`${name} must be an http or https address without a password or a query, such as https://ai.example/v1.`)
    return undefined
  }
  const price = (name: string): number | null => {
    const value = text(name)
    if (value === undefined) return null
    if (/^\d{1,6}(\.\d{1,6})?$/.test(value)) return Number(value)
    mistakes.push(`${name} is "${value}"; it must be a price in US dollars per million tokens, such as 2.50.`)
    return null
  }
  const hosts = (name: string): string[] => {
    const values = (text(name) ?? '').split(',').map((value) => value.trim())
    return values
      .filter((host) => host !== '')
      .map((host) => {
        const isBareIpv6 = isIP(host) === 6
        const parsedUrl = URL.parse(`http://${isBareIpv6 ? `[${host}]` : host}`)
        const port = isBareIpv6 ? undefined : /:(\d+)$/.exec(host)?.[1]
        const isHost = parsedUrl?.href === `${parsedUrl?.origin}/`
        if (parsedUrl && isHost) return port === undefined ? parsedUrl.hostname : `${parsedUrl.hostname}:${Number(port)}`
        mistakes.push(`${name} contains "${host}"; it must be a list of hosts, with or without a port, such as ai.internal, 10.0.0.5:8080.`)
        return host
      })
  }
  const url = (name: string, protocols: string[], example: string): Secret | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    const parsedUrl = URL.parse(value)
    if (parsedUrl && protocols.includes(parsedUrl.protocol) && parsedUrl.hostname) return createSecretUrl(value)
    // the message does not contain the value, because it may contain a password
    mistakes.push(`${name} is not an address of the right kind; it must look like ${example}.`)
    return undefined
  }
  const sender = (name: string, host: string, isMailOn: boolean): string => {
    const value = text(name) ?? `foyer@${host}`
    // `name <address>` or only the address
    if (!/^([^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/.test(value))
      mistakes.push(`${name} is "${value}"; it must be an e-mail address.`)
    const isDomain = host.includes('.') && isIP(host) === 0 && !host.startsWith('[')
    if (isMailOn && !text(name) && !isDomain) mistakes.push(`${name} is needed beside SMTP_URL: the address that mail is sent from.`)
    return value
  }
  return { text, number, listenHost, oneOf, origin, baseUrl, price, hosts, url, sender }
}

/** Returns a host that a browser can open. 0.0.0.0 and :: stand for all addresses of a machine. */
function toBrowserHost(host: string): string {
  if (['0.0.0.0', '::'].includes(host)) return 'localhost'
  return isIP(host) === 6 ? `[${host}]` : host
}

const createSecretUrl = (value: string): Secret => hideSecret(value, hidePassword(value))

/** Returns a secret that appears as `printedText` when it is printed, logged or converted to JSON. */
function hideSecret(value: string, printedText: string): Secret {
  const show = (): string => printedText
  return { reveal: () => value, toJSON: show, toString: show, [inspect.custom]: show }
}

function hidePassword(value: string): string {
  const url = URL.parse(value)
  if (!url?.password) return value
  url.password = 'hidden'
  return url.href
}
