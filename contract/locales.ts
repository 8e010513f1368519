/** Returns the locale of all formats: the language is always English, and the country, which may be empty, sets the order and the signs. */
export const localeOf = (country: string): string => (country === '' ? 'en-GB' : `en-${country}`)
