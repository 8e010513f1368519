import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

function readMistakes(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    return String(error instanceof Error ? error.message : error).split('\n')
  }
  return []
}

test('without settings Foyer listens on this machine only and uses the embedded database', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    isDevelopment: false,
    listen: { host: '127.0.0.1', port: 3000 },
    address: 'http://127.0.0.1:3000',
    trustedProxies: 0,
    signUp: 'open',
    logLevel: 'info',
    database: undefined,
    mail: { server: undefined, from: 'foyer@127.0.0.1' },
    ai: { connection: undefined, maxTokensPerDay: undefined },
    allowedHosts: [],
  })
  expect(config.data).toEqual({ folder: expect.stringMatching(/\/data$/), isConfigured: false })
  expect(config.keyFile).toBe(`${config.data.folder}/secret.key`)
  expect(config.storage).toEqual({ folder: `${config.data.folder}/files` })
})

test('every setting is read from its environment variable', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    FOYER_DATA: '/srv/foyer',
    DATABASE_URL: 'postgres://foyer:word@db.example/foyer',
    DATABASE_APP_URL: 'postgresql://foyer_app:word@db.example/foyer',
    FOYER_URL: 'https://foyer.example/',
    FOYER_SECRET_FILE: '/run/secrets/foyer',
    FOYER_SIGN_UP: 'closed',
    SMTP_URL: 'smtps://ada:word@mail.example:465',
    MAIL_FROM: 'Foyer <hello@foyer.example>',
    FOYER_TRUST_PROXY: '2',
    FOYER_LOG: 'debug',
    FOYER_DEVELOPMENT: '1',
    FOYER_S3_ENDPOINT: 'https://s3.example',
    FOYER_S3_REGION: 'eu-west-1',
    FOYER_S3_BUCKET: 'foyer',
    FOYER_S3_ACCESS_KEY_ID: 'key',
    FOYER_S3_SECRET_ACCESS_KEY: 'word',
    FOYER_S3_PATH_STYLE: '0',
    FOYER_QUOTA_GB: '2',
    FOYER_RECORDS_GB: '4',
    FOYER_MIN_FREE_MB: '5',
    FOYER_JSON_FILE_MB: '3',
    AI_URL: 'https://ai.example/v1',
    AI_KEY: 'word',
    AI_MODEL: 'small',
    AI_IMAGE_MODEL: 'painter',
    AI_INPUT_PRICE: '0.15',
    AI_OUTPUT_PRICE: '2',
    AI_TOKENS_PER_DAY: '500000',
    FOYER_ALLOWED_HOSTS: 'AI.internal, 10.0.0.5:8080,FD00::5, [fd00::6]:80',
  })
  expect(config).toMatchObject({
    isDevelopment: true,
    listen: { host: '0.0.0.0', port: 8080 },
    address: 'https://foyer.example',
    trustedProxies: 2,
    signUp: 'closed',
    logLevel: 'debug',
    data: { folder: '/srv/foyer', isConfigured: true },
    keyFile: '/run/secrets/foyer',
    mail: { from: 'Foyer <hello@foyer.example>' },
    storage: { s3: { endpoint: 'https://s3.example', region: 'eu-west-1', bucket: 'foyer', accessKeyId: 'key', isPathStyle: false } },
    fileLimits: { quotaBytes: 2 * 1024 ** 3, jsonFileBytes: 3 * 1024 ** 2 },
    recordQuotaBytes: 4 * 1024 ** 3,
    minFreeBytes: 5 * 1024 ** 2,
    ai: {
      connection: { baseUrl: 'https://ai.example/v1', model: 'small', imageModel: 'painter', inputPrice: 0.15, outputPrice: 2 },
      maxTokensPerDay: 500_000,
    },
    allowedHosts: ['ai.internal', '10.0.0.5:8080', '[fd00::5]', '[fd00::6]:80'],
  })
  expect(config.database?.ownerUrl.reveal()).toBe('postgres://foyer:word@db.example/foyer')
  expect(config.database?.applicationUrl?.reveal()).toBe('postgresql://foyer_app:word@db.example/foyer')
  expect(config.mail.server?.reveal()).toBe('smtps://ada:word@mail.example:465')
  expect(config.ai.connection?.key?.reveal()).toBe('word')
})

test.each([
  ['PORT', 'eighty', 'PORT is "eighty"; it must be a whole number from 0 to 65535.'],
  ['PORT', '65536', 'PORT is "65536"; it must be a whole number from 0 to 65535.'],
  ['PORT', '', 'PORT is empty; it must be a whole number from 0 to 65535.'],
  ['HOST', '256.1.1.1', 'HOST is "256.1.1.1"; it must be a name or an address of this machine, such as 127.0.0.1 or 0.0.0.0.'],
  ['FOYER_TRUST_PROXY', '-1', 'FOYER_TRUST_PROXY is "-1"; it must be a whole number from 0 to 10.'],
  ['FOYER_SIGN_UP', 'no', 'FOYER_SIGN_UP is "no"; it must be one of open, closed.'],
  ['FOYER_LOG', 'loud', 'FOYER_LOG is "loud"; it must be one of debug, info, warn, error, silent.'],
  ['FOYER_URL', 'foyer.example', expect.stringContaining('it must be an http or https address without a path')],
  ['FOYER_URL', 'https://foyer.example/app', expect.stringContaining('without a path')],
  ['DATABASE_URL', 'mysql://db.example', expect.stringContaining('DATABASE_URL is not an address of the right kind')],
  ['DATABASE_APP_URL', 'postgres://db.example/foyer', expect.stringContaining('needs DATABASE_URL beside it')],
  ['SMTP_URL', 'mail.example:25', expect.stringContaining('it must look like smtps://')],
  ['FOYER_S3_BUCKET', 'foyer', expect.stringContaining('need FOYER_S3_ENDPOINT beside them')],
  [
    'FOYER_S3_ENDPOINT',
    'https://s3.example',
    'FOYER_S3_ENDPOINT needs FOYER_S3_BUCKET, FOYER_S3_ACCESS_KEY_ID, FOYER_S3_SECRET_ACCESS_KEY beside it.',
  ],
  ['FOYER_S3_ENDPOINT', 'https://s3.example/bucket', expect.stringContaining('without a path')],
  ['AI_KEY', 'word', 'The key, the models and the prices of the AI need AI_URL beside them.'],
  ['AI_URL', 'https://ai.example/v1', 'AI_URL needs AI_MODEL beside it.'],
  ['AI_URL', 'ai.example', expect.stringContaining('AI_URL must be an http or https address')],
  ['AI_URL', 'https://ada:word@ai.example', expect.stringContaining('without a password or a query')],
  ['AI_URL', 'https://ai.example/v1?key=word', expect.stringContaining('without a password or a query')],
  ['AI_TOKENS_PER_DAY', 'many', 'AI_TOKENS_PER_DAY is "many"; it must be a whole number from 0 to 999999999.'],
  ['FOYER_ALLOWED_HOSTS', 'http://ai', expect.stringContaining('FOYER_ALLOWED_HOSTS contains "http://ai"; it must be a list')],
  ['MAIL_FROM', 'nobody', 'MAIL_FROM is "nobody"; it must be an e-mail address.'],
])('the invalid setting %s=%s is reported in one sentence', (name, value, sentence) => {
  expect(readMistakes({ [name]: value })).toEqual([sentence])
})

test('a key of the AI that HTTP cannot send is reported without the key', () => {
  const settings = { AI_URL: 'https://ai.example/v1', AI_MODEL: 'small', AI_KEY: '“word”' }
  expect(readMistakes(settings)).toEqual(['AI_KEY must not contain spaces or special characters.'])
})

test('the mistakes of several settings are reported together', () => {
  expect(readMistakes({ PORT: 'x', FOYER_LOG: 'loud', FOYER_URL: 'ftp://x' })).toHaveLength(3)
})

test.each(['-1', '2,50', 'free', '1e3'])('the price %s is reported', (price) => {
  const env = { AI_URL: 'https://ai.example/v1', AI_MODEL: 'small', AI_INPUT_PRICE: price, AI_OUTPUT_PRICE: '1' }
  expect(readMistakes(env)).toContain(`AI_INPUT_PRICE is "${price}"; it must be a price in US dollars per million tokens, such as 2.50.`)
})

test('one price without the other is reported', () => {
  const env = { AI_URL: 'https://ai.example/v1', AI_MODEL: 'small', AI_INPUT_PRICE: '1' }
  expect(readMistakes(env)).toEqual(['AI_INPUT_PRICE and AI_OUTPUT_PRICE need each other.'])
})

test('mail has a default sender only if the public address is a domain', () => {
  expect(readMistakes({ SMTP_URL: 'smtp://localhost' })).toEqual([
    'MAIL_FROM is needed beside SMTP_URL: the address that mail is sent from.',
  ])
  expect(readConfig({ SMTP_URL: 'smtp://localhost', FOYER_URL: 'https://crm.example' }).mail.from).toBe('foyer@crm.example')
})

test.each([
  ['::', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
])('when the server listens on %s, its default public address is %s', (host, address) => {
  expect(readConfig({ HOST: host }).address).toBe(address)
})

test('printed settings and messages contain no password', () => {
  const env = {
    DATABASE_URL: 'postgres://foyer:opensesame@db.example/foyer',
    SMTP_URL: 'smtp://ada:opensesame@mail.example',
    MAIL_FROM: 'a@b.example',
    FOYER_S3_ENDPOINT: 'https://s3.example',
    FOYER_S3_BUCKET: 'foyer',
    FOYER_S3_ACCESS_KEY_ID: 'key',
    FOYER_S3_SECRET_ACCESS_KEY: 'opensesame',
    AI_URL: 'https://ai.example/v1',
    AI_KEY: 'opensesame',
    AI_MODEL: 'small',
  }
  const config = readConfig(env)
  const mistakes = readMistakes({
    SMTP_URL: 'http://ada:opensesame@mail.example',
    FOYER_URL: 'https://ada:opensesame@foyer.example',
    AI_URL: 'https://ada:opensesame@ai.example/?key=opensesame',
  })
  const printed = [inspect(config, { depth: 9 }), JSON.stringify(config), String(config.database?.ownerUrl), ...mistakes].join('\n')
  expect(printed).toContain('db.example')
  expect(printed).not.toContain('opensesame')
})
