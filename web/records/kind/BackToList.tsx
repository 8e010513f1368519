import { Link } from '@tanstack/react-router'
import { capitalise } from '#web/lib/format.ts'

/** The first link of a breadcrumb, which opens the list of a kind. */
export const BackToList = ({ kind: { path, plural } }: { kind: { path: string; plural: string } }) => (
  <Link to={path} aria-label={`Back to ${capitalise(plural)}`}>
    {capitalise(plural)}
  </Link>
)
