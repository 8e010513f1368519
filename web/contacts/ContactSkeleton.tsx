import classes from './ContactPage.module.css'

const bars = [0.9, 0.6, 0.7, 0.8, 0.5, 0.75, 0.65, 0.85, 0.55]

/** The page of a contact before it is there, in its final places. */
export function ContactSkeleton() {
  return (
    <output className={classes['columns']} aria-label="Loading">
      <div className={classes['contact']}>
        <div className={classes['header']}>
          <span className={classes['round']} />
          <span className={classes['bar']} style={{ width: 180 }} />
        </div>
        <div className={classes['card']}>
          {bars.map((width) => (
            <div key={width} className={classes['fact']}>
              <span className={classes['bar']} style={{ width: 56 }} />
              <span className={classes['bar']} style={{ width: `${width * 100}%` }} />
            </div>
          ))}
        </div>
      </div>
      <div className={classes['aside']} />
    </output>
  )
}
