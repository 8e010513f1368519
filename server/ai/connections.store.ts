import type { Capabilities } from '#contract/ai.ts'
import { sql } from '#server/platform/database/database.ts'

/** The own AI connection of an owner. `sealed_key` is empty if the endpoint needs no key. */
export type StoredConnection = {
  base_url: string
  sealed_key: string
  model: string
  image_model: string
  capabilities: Partial<Capabilities>
  input_price: number | null
  output_price: number | null
}

export async function findStoredConnection(owner: string): Promise<StoredConnection | undefined> {
  const [connection] = await sql<StoredConnection>(
    `select base_url, sealed_key, model, image_model, capabilities, input_price, output_price from ai_connections where user_id = $1`,
    [owner],
  )
  return connection
}

export async function upsertConnection(owner: string, connection: StoredConnection): Promise<void> {
  await sql(
    `insert into ai_connections (user_id, id, base_url, sealed_key, model, image_model, capabilities, input_price, output_price)
     values ($1, $1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (user_id, id) do update set base_url = excluded.base_url, sealed_key = excluded.sealed_key, model = excluded.model,
       image_model = excluded.image_model, capabilities = excluded.capabilities, input_price = excluded.input_price, output_price = excluded.output_price`,
    [
      owner,
      connection.base_url,
      connection.sealed_key,
      connection.model,
      connection.image_model,
      connection.capabilities,
      connection.input_price,
      connection.output_price,
    ],
  )
}

/** Deletes the connection and announces the deletion as a live update, because the triggers of the table announce only rows that exist. */
export async function deleteConnection(owner: string): Promise<void> {
  await sql(
    `with deleted as (delete from ai_connections where user_id = $1 returning user_id)
     insert into unjournaled_writes (user_id, table_name) select user_id, 'ai_connections' from deleted`,
    [owner],
  )
}

/** Adds what was found out about the models, if the owner's connection still uses them. */
export async function addCapabilities(
  owner: string,
  { base_url, model, image_model }: Pick<StoredConnection, 'base_url' | 'model' | 'image_model'>,
  capabilities: Partial<Capabilities>,
): Promise<void> {
  await sql(
    `update ai_connections set capabilities = capabilities || $5
     where user_id = $1 and base_url = $2 and model = $3 and image_model = $4 and not capabilities @> $5`,
    [owner, base_url, model, image_model, capabilities],
  )
}
