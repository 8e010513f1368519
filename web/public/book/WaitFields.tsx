import type { BookContent } from '#contract/pages.ts'

/** `date`: the chosen day. `waiting`: the days for which the visitor is on the waiting list already. */
type Props = { isShown: boolean; date: string; waiting: Extract<BookContent, { kind: 'link' }>['waiting'] }

/**
 * Offers to wait for a free time, with the name and the email that are entered above. The script shows it when a day has no free times,
 * unless the visitor waits for this day already.
 */
export const WaitFields = ({ isShown, date, waiting }: Props) => (
  <section
    id="wait"
    className="wait"
    aria-labelledby="wait-title"
    hidden={!isShown || (waiting !== null && waiting.first_day <= date && date <= waiting.last_day)}
    data-first-day={waiting?.first_day}
    data-last-day={waiting?.last_day}
  >
    <h2 id="wait-title">No time that suits you?</h2>
    <p>Enter your name and email above. You get one email when a time becomes free.</p>
    <div className="field">
      <label htmlFor="wait_days">Wait for</label>
      <select id="wait_days" name="wait_days" className="input">
        <option value="1">A time on this day</option>
        <option value="7">A time in the seven days from this day</option>
      </select>
    </div>
    <button type="submit" name="action" value="wait" formNoValidate className="button button-default button-large">
      Tell me when a time is free
    </button>
  </section>
)
