import { useQuery } from '@tanstack/react-query'
import { IconArrowUpRight } from '@tabler/icons-react'
import { useAi } from '#web/lib/aiState.ts'
import { DoorIllustration } from '#web/ui/DoorIllustration.tsx'
import { openImageDialog } from '../images/imageDialog.ts'
import classes from './EmptyChat.module.css'
import { makeExampleQuestions, maxQuestions, workspaceQuery } from './exampleQuestions.ts'

/** A new conversation: what the assistant can do, and questions to begin with. `onAsk` sends a question; without it none is shown. */
export function EmptyChat({ onAsk }: { onAsk: ((question: string) => void) | undefined }) {
  return (
    <div className={classes['empty']}>
      <DoorIllustration>
        <rect x="15" y="78" width="28" height="18" rx="3" />
        <path d="M21 85h16M21 90h9" />
        <rect x="114" y="70" width="34" height="22" rx="3" />
        <circle cx="123" cy="81" r="3.5" />
        <path d="M131 78h11M131 84h8" />
      </DoorIllustration>
      <h2 className={classes['title']}>Ask me anything!</h2>
      <p className={classes['lead']}>I can help you manage files, answer questions, or generate images.</p>
      {onAsk && <ExampleQuestions onAsk={onAsk} />}
    </div>
  )
}

function ExampleQuestions({ onAsk }: { onAsk: (question: string) => void }) {
  const { data, error } = useQuery(workspaceQuery)
  const { connection, findProblem } = useAi()
  if (error && !data) return null
  const makesImages = connection !== undefined && findProblem('images') === undefined
  const questions = data && makeExampleQuestions(data, makesImages)
  return (
    <ul className={classes['questions']} aria-label="Examples" aria-busy={!questions}>
      {!questions && Array.from({ length: maxQuestions }, (_, index) => <li key={index} className={classes['waiting']} />)}
      {questions?.map(({ text, detail, icon: Picture, isImage }) => (
        <li key={text}>
          <button type="button" onClick={() => (isImage ? openImageDialog() : onAsk(text))}>
            <Picture size={18} stroke={1.6} />
            <span className={classes['words']}>
              <span className={classes['question']}>{text}</span>
              <span className={classes['detail']}>{detail}</span>
            </span>
            <IconArrowUpRight size={16} stroke={1.6} />
          </button>
        </li>
      ))}
    </ul>
  )
}
