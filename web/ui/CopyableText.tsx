import { CopyButton } from './CopyButton.tsx'
import classes from './CopyableText.module.css'

type CopyableTextProps = {
  text: string
  /** The label of the button that copies: "Copy API key". */
  label: string
  className?: string | undefined
}

/** A box with a text for other programs, such as an address, a key or a command, and a button that copies it. */
export const CopyableText = ({ text, label, className = '' }: CopyableTextProps) => (
  <div className={`${classes['box']} ${className}`}>
    <code>{text}</code>
    <CopyButton text={text} label={label} size={32} />
  </div>
)
