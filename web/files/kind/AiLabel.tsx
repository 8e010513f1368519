import classes from './AiLabel.module.css'

/** Says that the AI has made a file. */
export const AiLabel = () => (
  <span className={classes['label']} title="Made by AI">
    AI
  </span>
)
