import classes from './Shortcut.module.css'

/** Shows the keys of a keyboard shortcut. `keys` are their labels: `['Ctrl', 'B']`. */
export function Shortcut({ keys }: { keys: readonly string[] }) {
  return (
    <span className={classes['keys']}>
      {keys.map((key) => (
        <kbd key={key} className={classes['key']}>
          {key}
        </kbd>
      ))}
    </span>
  )
}
