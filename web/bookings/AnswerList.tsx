import type { Booking } from '#contract/bookings.ts'
import { formatVisitorAnswer } from '#web/lib/visitorAnswers.ts'
import classes from './AnswerList.module.css'

/** The answers of a visitor to the questions of a booking link. */
export const AnswerList = ({ answers }: { answers: NonNullable<Booking['answers']> }) => (
  <dl className={classes['answers']}>
    {answers.values.map(({ label, text, type }, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- two questions may have the same label, and the list never changes
      <div key={index}>
        <dt dir="auto">{label}</dt>
        <dd dir="auto">{formatVisitorAnswer(text, type)}</dd>
      </div>
    ))}
  </dl>
)
