/** What a link leads to. */
export type Linked = 'contact' | 'company' | 'deal'
