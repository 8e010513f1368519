import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { AiConnection } from '#contract/ai.ts'
import { installProduct, type Product } from '../product.ts'

const credentials = { email: 'ada@example.org', password: 'engine no. 1' }
const SignedIn = z.object({ token: z.string() })

/** Signs up and signs in. An installation that has the user already refuses the sign-up, which changes nothing. */
async function signIn(product: Product) {
  const send = (method: string, path: string, body?: object, token = '') =>
    fetch(product.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  await send('POST', '/api/users', { ...credentials, full_name: 'Ada Lovelace', timezone: 'Europe/London' })
  const { token } = SignedIn.parse(await (await send('POST', '/api/session', credentials)).json())
  return {
    saveKey: async (key: string): Promise<AiConnection> =>
      AiConnection.parse(await (await send('PUT', '/api/ai', { base_url: 'https://ai.example/v1', key, model: 'small' }, token)).json()),
    readConnection: async (): Promise<AiConnection> => AiConnection.parse(await (await send('GET', '/api/ai', undefined, token)).json()),
  }
}

test(
  'the key of an AI connection can be read after a restore, and must be entered again after the key of the installation was lost',
  { timeout: 120_000 },
  async () => {
    await using first = await installProduct()
    await using second = await installProduct()
    await first.start()
    await (await signIn(first)).saveKey('key-of-ada-0001')
    const file = join(first.folder, '../foyer.backup')
    expect(first.run('scripts/backup.ts', file).code).toBe(0)
    expect(second.run('scripts/restore.ts', file).code).toBe(0)
    await second.start()
    expect(await (await signIn(second)).readConnection()).toMatchObject({ key_state: 'stored', key_end: '0001' })

    await second.stop()
    rmSync(join(second.folder, 'secret.key'))
    expect(second.run('scripts/accept-key.ts').code).toBe(0)
    await second.start()
    const ada = await signIn(second)
    expect(await ada.readConnection()).toMatchObject({ source: 'own', key_state: 'lost', key_end: '', model: 'small' })
    expect(await ada.saveKey('key-of-ada-0002')).toMatchObject({ key_state: 'stored', key_end: '0002' })
  },
)
