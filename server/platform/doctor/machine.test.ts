import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { startAiServer } from '#server/testing/ai-server.ts'
import { startMailServer } from '#server/testing/mail.ts'
import { findFreePort } from '#server/testing/port.ts'
import type { OperatorConnection } from '../ai/settings.ts'
import { checkAi, checkBackup, checkFolder, checkMail, checkKeyFile, checkZones, judgeFreeSpace, rememberBackup } from './machine.ts'

const folder = mkdtempSync(join(tmpdir(), 'foyer-doctor-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('a key that is missing, too short or readable by others is reported', async () => {
  const file = join(folder, 'secret.key')
  expect(await checkKeyFile(file)).toMatchObject([{ status: 'error', text: expect.stringContaining('does not exist') }])
  writeFileSync(file, 'short')
  expect(await checkKeyFile(file)).toEqual([
    { status: 'error', text: `${file} does not contain a key: a key has at least 32 characters. Restore it from a backup.` },
  ])
  writeFileSync(file, 'a key that is long enough for the check')
  chmodSync(file, 0o644)
  expect(await checkKeyFile(file)).toEqual([
    { status: 'warning', text: `Other accounts of this machine can read ${file}. Run chmod 600 ${file}.` },
  ])
  chmodSync(file, 0o600)
  expect(await checkKeyFile(file)).toMatchObject([{ status: 'ok' }])
})

test('the advice for a key that cannot be read is to change its account or path, not to restore the key', async () => {
  const unreadableFile = join(folder, 'unreadable.key')
  mkdirSync(unreadableFile) // a folder, because root could read a file without rights
  expect(await checkKeyFile(unreadableFile)).toEqual([
    {
      status: 'error',
      text: expect.stringMatching(/^Foyer cannot read the key in .* give the file to the account that runs Foyer, .* FOYER_SECRET_FILE\.$/),
    },
  ])
  expect(await checkKeyFile(join(unreadableFile, 'secret.key'))).toMatchObject([{ text: expect.stringContaining('does not exist') }])
  writeFileSync(join(folder, 'file'), '')
  expect(await checkKeyFile(join(folder, 'file', 'secret.key'))).toMatchObject([
    { text: expect.stringMatching(/^Foyer cannot read the key/) },
  ])
})

test('a data folder that does not exist is an error, and little free space is reported before it is used up', async () => {
  const missing = join(folder, 'missing')
  expect(await checkFolder(missing)).toEqual([
    {
      status: 'error',
      text: `${missing} does not exist. Set FOYER_DATA to the data folder, or restore a backup; for a new installation start Foyer, which creates it.`,
    },
  ])
  expect((await checkFolder(folder))[0]?.text).toMatch(/ GB free| MB free/)
  expect([3e9, 1e9, 1e8].map((bytes) => judgeFreeSpace(folder, bytes).status)).toEqual(['ok', 'warning', 'error'])
})

test('a mail server that does not respond or refuses the password is an error; no mail server is fine', async () => {
  await using server = await startMailServer()
  const { host } = new URL(server.url)
  expect(await checkMail(undefined)).toMatchObject([{ status: 'ok' }])
  expect(await checkMail(server.url)).toEqual([{ status: 'ok', text: 'The mail server answers.' }])
  expect(await checkMail(`smtp://foyer:wrong@${host}`)).toEqual([
    { status: 'error', text: 'The mail server does not accept our name and password. Check SMTP_URL.' },
  ])
  expect(await checkMail(`smtp://127.0.0.1:${await findFreePort()}`)).toEqual([
    { status: 'error', text: 'The mail server sends no valid response. Check SMTP_URL.' },
  ])
})

test('an AI that does not respond, refuses the key or does not have the model is reported; no AI is fine', async () => {
  await using server = await startAiServer({ key: 'the right key' })
  const check = (change: Partial<OperatorConnection> = {}) => {
    const connection = { baseUrl: server.baseUrl, key: { reveal: () => 'the right key' }, model: 'small', imageModel: undefined }
    return checkAi({ connection: { ...connection, inputPrice: null, outputPrice: null, ...change }, maxTokensPerDay: undefined }, [])
  }
  expect(await checkAi({ connection: undefined, maxTokensPerDay: undefined }, [])).toMatchObject([{ status: 'ok' }])
  expect(await check()).toEqual([{ status: 'ok', text: 'The AI service answers and has the model small.' }])
  expect(await check({ model: 'other' })).toEqual([
    { status: 'warning', text: 'The AI service answers, and its list of models does not have other. Check AI_MODEL.' },
  ])
  expect(await check({ key: { reveal: () => 'wrong' } })).toEqual([
    { status: 'error', text: 'The AI service refused the key. Check AI_URL and AI_KEY.' },
  ])
  expect(await check({ baseUrl: server.baseUrl.replace('/v1', '') })).toEqual([
    { status: 'error', text: 'There is no AI service at this address. It usually ends in /v1. Check AI_URL and AI_KEY.' },
  ])
  expect(await check({ baseUrl: `http://127.0.0.1:${await findFreePort()}/v1` })).toEqual([
    { status: 'error', text: 'Nothing answers at this address. Check AI_URL and AI_KEY.' },
  ])
})

test('a backup that is unknown or older than a week is reported', async () => {
  const now = new Date('2026-03-20T12:00:00Z')
  expect(await checkBackup(folder, now)).toEqual([{ status: 'warning', text: 'No backup is known. Run npm run backup -- FILE every day.' }])
  await rememberBackup(folder, new Date('2026-03-11T12:00:00Z'))
  expect(await checkBackup(folder, now)).toMatchObject([{ status: 'warning', text: expect.stringContaining('2026-03-11') }])
  await rememberBackup(folder, new Date('2026-03-19T12:00:00Z'))
  expect(await checkBackup(folder, now)).toEqual([{ status: 'ok', text: 'The last backup was made on 2026-03-19.' }])
})

test('time zone data of the year before last is reported', async () => {
  const now = new Date('2026-03-20T12:00:00Z')
  expect(await checkZones(now, '2025c')).toMatchObject([{ status: 'ok' }])
  expect(await checkZones(now, '2024a')).toEqual([
    { status: 'warning', text: 'The time zone data is 2024a. Get a newer version of Foyer.' },
  ])
})
