// Parts of sentences that several booking pages show.

/** Returns the person whom a visitor can contact. An owner may have no name. */
export const contactOf = (ownerName: string): string => ownerName || 'the person whom you want to meet'
