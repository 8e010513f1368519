/** What the address of a panel says beside its list's search: whether it fills the page. */
export const readPanel = ({ panel }: Record<string, unknown>): { panel?: 'page' | undefined } => (panel === 'page' ? { panel } : {})
