import classes from './FileName.module.css'

/** The number of characters at the end of a name that stay visible: enough for " (2).docx", or in a narrow space for ".numbers". */
const endLength = { wide: 12, narrow: 8 }

/** A name that is shortened in its middle when there is too little space, so that its extension stays visible. */
export function FileName({ name, isNarrow = false }: { name: string; isNarrow?: boolean }) {
  const characters = Array.from(name)
  const split = Math.max(characters.length - (isNarrow ? endLength.narrow : endLength.wide), 0)
  return (
    <span className={classes['name']} dir="auto" title={name}>
      <span>{characters.slice(0, split).join('')}</span>
      <span>{characters.slice(split).join('')}</span>
    </span>
  )
}
