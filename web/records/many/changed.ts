import { changeRoutes } from '#contract/changes.ts'
import { call } from '#web/lib/client.ts'
import { capitalised, countOf } from '#web/lib/format.ts'
import type { Chosen } from './chosen.ts'

type Nouns = { singular: string; plural: string }

type Told = { title: string; change: string | undefined }

/**
 * What a call changed: "Contact updated", "12 contacts updated". It counts the records that are different now, which may be fewer than
 * were chosen. Where the server does not say how many they are, it is "Contacts updated".
 */
export async function inWords({ singular, plural }: Nouns, done: string, chosen: Chosen, change: string | undefined): Promise<Told> {
  const number = await numberChanged(chosen, change)
  if (number === undefined) return { title: `${capitalised(plural)} ${done}`, change }
  return { title: number === 1 ? `${capitalised(singular)} ${done}` : `${countOf(number, singular, plural)} ${done}`, change }
}

async function numberChanged({ ids }: Chosen, change: string | undefined): Promise<number | undefined> {
  if (change === undefined) return 0
  if (ids?.length === 1) return 1
  try {
    return (await call(changeRoutes.get, { params: { id: change } })).count
  } catch {
    return undefined // the change is done: that its number is unknown is no reason to be silent about it
  }
}
