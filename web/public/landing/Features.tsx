import { features } from './features.ts'
import { Icon } from './Icon.tsx'

export function Features() {
  return (
    <section className="width features" id="features" aria-labelledby="features-title">
      <h2 id="features-title">One place, from the first hello to the signed deal</h2>
      <ul>
        {features.map(({ title, icon, text }) => (
          <li key={title}>
            <Icon name={icon} />
            <h3>{title}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
