import classes from './FileName.module.css'

/** The number of characters at the end of a name that stay visible: enough for " (2).numbers". */
const endLength = 12

/** A name that is shortened in its middle when there is too little space, so that its extension stays visible. */
export function FileName({ name }: { name: string }) {
  const characters = Array.from(name)
  const split = Math.max(characters.length - endLength, 0)
  return (
    <span className={classes['name']} title={name}>
      <span>{characters.slice(0, split).join('')}</span>
      <span>{characters.slice(split).join('')}</span>
    </span>
  )
}
