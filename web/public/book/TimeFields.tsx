import type { PageProblem, TimeChoice } from '#contract/pages.ts'
import { listedFieldNames } from '#contract/visitorForms.ts'
import { describeNoTimes } from './sentences.ts'
import { Message } from './TextField.tsx'
import { groupZones, type ZoneGroup } from './zoneGroups.ts'

type Props = { choice: TimeChoice; problem: PageProblem }

/** The fields for day, time and time zone. Without scripts, buttons load the times of another day or zone. */
export function TimeFields({ choice, problem: { fields, nearest } }: Props) {
  const { date, today, last_day: lastDay, timezone, timezones } = choice
  const isFree = choice.times.some(({ start_time: start }) => start === choice.start_time)
  const noTimes = choice.times.length === 0 && nearest.length === 0 ? describeNoTimes(date, choice.other_day, choice.is_full) : ''
  return (
    <>
      <noscript>
        {/* the Enter key presses the first button of a form, which would otherwise be one that loads times */}
        <button type="submit" className="extra" tabIndex={-1} aria-hidden="true">
          Send
        </button>
      </noscript>
      {/* the day and the zone of the listed times; the browser must not restore them, because it does not restore the list */}
      <input type="hidden" name={listedFieldNames.date} value={date} autoComplete="off" />
      <input type="hidden" name={listedFieldNames.timezone} value={timezone} autoComplete="off" />
      <div className="two">
        <div className="field">
          <label htmlFor="date">Date</label>
          <input
            id="date"
            name="date"
            className="input"
            type="date"
            min={today}
            max={lastDay}
            defaultValue={date}
            required
            aria-describedby="date-message"
            aria-invalid={fields['date'] !== undefined || undefined}
          />
        </div>
        <div className="field">
          <label htmlFor="start_time">Time</label>
          <select
            id="start_time"
            name="start_time"
            className="input"
            required
            defaultValue={isFree ? choice.start_time : ''}
            aria-describedby="start_time-message"
            aria-invalid={fields['start_time'] !== undefined || undefined}
          >
            <TimeOptions choice={choice} nearest={nearest} />
          </select>
        </div>
      </div>
      <Message name="date" text={fields['date']} />
      <Message name="start_time" text={noTimes || fields['start_time']} lastingText={noTimes} />
      <noscript>
        <button type="submit" className="button button-default" formMethod="get" formNoValidate>
          Show the times of this day
        </button>
      </noscript>
      <div className="field">
        <label htmlFor="timezone">Time zone</label>
        <select
          id="timezone"
          name="timezone"
          className="input"
          defaultValue={timezone}
          aria-describedby="timezone-message"
          aria-invalid={fields['timezone'] !== undefined || undefined}
        >
          {groupZones(new Set([...timezones, timezone])).map(({ region, zones }) =>
            region === '' ? (
              <ZoneOptions key={region} zones={zones} />
            ) : (
              <optgroup key={region} label={region}>
                <ZoneOptions zones={zones} />
              </optgroup>
            ),
          )}
        </select>
        <Message name="timezone" text={fields['timezone']} />
      </div>
      {timezones.length === 0 && (
        <noscript>
          <button type="submit" className="button button-default" formMethod="get" formNoValidate name="timezones" value="all">
            Choose another time zone
          </button>
        </noscript>
      )}
    </>
  )
}

const ZoneOptions = ({ zones }: Pick<ZoneGroup, 'zones'>) =>
  zones.map(({ name, place }) => (
    <option key={name} value={name}>
      {place}
    </option>
  ))

function TimeOptions({ choice: { times }, nearest }: { choice: TimeChoice; nearest: PageProblem['nearest'] }) {
  if (times.length === 0 && nearest.length === 0) return <option value="">No free times</option>
  const options = times.map(({ start_time: start, label }) => (
    <option key={start} value={start}>
      {label}
    </option>
  ))
  const placeholder = <option value="">Choose a time</option>
  if (nearest.length === 0)
    return (
      <>
        {placeholder}
        {options}
      </>
    )
  return (
    <>
      {placeholder}
      <optgroup label="Nearest free times">
        {nearest.map(({ start_time: start, label }) => (
          <option key={`near ${start}`} value={start}>
            {label}
          </option>
        ))}
      </optgroup>
      <optgroup label="Times of this day">{options}</optgroup>
    </>
  )
}
