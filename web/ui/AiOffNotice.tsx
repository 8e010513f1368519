import { IconSparkles } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import classes from './AiOffNotice.module.css'

/** One sentence that says why the AI cannot be used here and what to do, with a link to the account page. */
export function AiOffNotice({ text }: { text: string }) {
  return (
    <p className={classes['notice']} role="note">
      <IconSparkles size={18} stroke={1.7} aria-hidden />
      <span className={classes['text']}>
        {text}{' '}
        <Link to="/account" hash="ai" className={classes['link']}>
          Open account
        </Link>
      </span>
    </p>
  )
}
