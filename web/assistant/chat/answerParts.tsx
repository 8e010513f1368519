// The parts of an answer whose code is loaded with the first answer that has them.
import { lazy, Suspense } from 'react'
import type { TitleFinder } from '../markdown/recordLinks.ts'
import classes from './Message.module.css'

type AnswerTextProps = { text: string; findTitles: TitleFinder; isGrowing: boolean }

/** The text as it was written, until the code that reads Markdown is loaded, and if it cannot be loaded. */
const PlainText = ({ text }: AnswerTextProps) => (
  <p className={classes['plain']} dir="auto">
    {text}
  </p>
)

const MarkdownText = lazy(() =>
  import('../markdown/AnswerText.tsx').then(
    ({ AnswerText }) => ({ default: AnswerText }),
    () => ({ default: PlainText }),
  ),
)

/** The text of an answer. The code that reads Markdown is loaded with the first answer. */
export const AnswerText = (props: AnswerTextProps) => (
  <Suspense fallback={<PlainText {...props} />}>
    <MarkdownText {...props} />
  </Suspense>
)

const FailedCard = () => (
  <p className={classes['remark']} role="alert">
    The proposed changes could not be loaded. Reload the page to see them.
  </p>
)

const LoadedCard = lazy(() =>
  import('../proposal/ProposalCard.tsx').then(
    ({ ProposalCard }) => ({ default: ProposalCard }),
    () => ({ default: FailedCard }),
  ),
)

/** The changes that an answer proposes. Their code is loaded with the first proposal. */
export const ProposalCard = ({ id }: { id: string }) => (
  <Suspense>
    <LoadedCard id={id} />
  </Suspense>
)
