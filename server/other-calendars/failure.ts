/** A calendar that could not be read. The message is a sentence for the owner, without the address. */
export class CalendarFailure extends Error {
  override readonly name = 'CalendarFailure'
}
