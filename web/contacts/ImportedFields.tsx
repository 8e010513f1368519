import classes from './ContactPage.module.css'

/** What an import brought along that has no field of its own. */
export function ImportedFields({ fields }: { fields: Record<string, unknown> }) {
  const known = Object.entries(fields).filter(([, value]) => value !== null && value !== '')
  if (known.length === 0) return null
  return (
    <section className={classes['imported']}>
      <h3>More from the import</h3>
      <dl className={classes['card']}>
        {known.map(([name, value]) => (
          <div key={name} className={classes['fact']}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
