import type * as z from 'zod/mini'

/** Values of the signed-in user that the browser stores. */
type Memory = {
  /** Sets the user whose values are stored from now on, and removes the values of other users. */
  setOwner: (userId: string) => void
  store: (name: string, value: unknown) => void
  /** Returns the stored value; undefined when there is none or it does not match the schema. */
  read: <Schema extends z.ZodMiniType>(name: string, schema: Schema) => z.output<Schema> | undefined
  remove: (name: string) => void
  /** Removes the values of all users. Called at sign-out, because they may be personal. */
  clear: () => void
}

const prefix = 'foyer '

/** Creates a memory in `sessionStorage`, which belongs to one tab, or in `localStorage`, which belongs to all tabs of the browser. */
export function createMemory(getStorage: () => Storage): Memory {
  let owner = ''
  const makeKey = (name: string): string => `${prefix}${owner} ${name}`
  const removeWhere = (matches: (key: string) => boolean): void => {
    const keys = Object.keys(getStorage()).filter((key) => key.startsWith(prefix))
    for (const key of keys) if (matches(key)) getStorage().removeItem(key)
  }
  return {
    setOwner: (userId) => {
      owner = userId
      removeWhere((key) => !key.startsWith(makeKey(''))) // all keys of this owner begin with the key of an empty name
    },
    store: (name, value) => {
      try {
        getStorage().setItem(makeKey(name), JSON.stringify(value))
      } catch {
        // the storage is full: the value is not stored
      }
    },
    read: (name, schema) => {
      const json = getStorage().getItem(makeKey(name))
      return json === null ? undefined : schema.safeParse(parseJson(json)).data
    },
    remove: (name) => getStorage().removeItem(makeKey(name)),
    clear: () => removeWhere(() => true),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
