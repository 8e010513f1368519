import { Link } from '@tanstack/react-router'
import { capitalised } from '#web/lib/format.ts'

/** The first link of a breadcrumb. */
export const BackToList = ({ kind: { path, plural } }: { kind: { path: string; plural: string } }) => (
  <Link to={path} aria-label={`Back to ${capitalised(plural)}`}>
    {capitalised(plural)}
  </Link>
)
