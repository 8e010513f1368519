/** What time it is. Whoever needs to know is given a clock, so that tests can give one that they move. */
export const systemClock = (): Date => new Date()
