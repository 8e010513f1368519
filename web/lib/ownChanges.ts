const maxRemembered = 200
const answered = new Map<string, number>()

/** Remembers a change that this tab wrote, when the answer of the write arrives. */
export function rememberOwnChange(change: string): void {
  answered.set(change, performance.now())
  const [oldest] = answered.keys()
  if (oldest !== undefined && answered.size > maxRemembered) answered.delete(oldest)
}

/** When the answer of the write arrived, by `performance.now`; undefined for a change of another tab. */
export const ownChangeAnsweredAt = (change: string): number | undefined => answered.get(change)
