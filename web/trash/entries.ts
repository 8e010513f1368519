const kinds: Record<string, string> = { crm_contacts: 'Contact' }

/** What a deleted record was, in the words of the sidebar. */
export const kindOf = (table: string): string => kinds[table] ?? 'Record'

/** Whole days until a record is erased; at least one, because it is still there. */
export const daysLeft = (goneAt: string, now = Date.now()): number =>
  Math.max(1, Math.ceil((new Date(goneAt).getTime() - now) / 86_400_000))
