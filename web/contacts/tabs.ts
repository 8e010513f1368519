/** The tabs of a contact's page, in their order. */
export const contactTabs = ['notes', 'deals', 'tasks'] as const
export type ContactTab = (typeof contactTabs)[number]

/** Which tab the address opens; the first one needs no word. */
export function readTab({ tab }: Record<string, unknown>): { tab?: ContactTab | undefined } {
  const named = contactTabs.find((each) => each === tab)
  return named && named !== contactTabs[0] ? { tab: named } : {}
}
