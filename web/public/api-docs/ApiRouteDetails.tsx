import type { ApiField, ApiRoute } from '#contract/pages.ts'

/** A route: one line, which opens its fields, its response and a command. */
export function ApiRouteDetails({ route }: { route: ApiRoute }) {
  const { id, method, path, summary, scopes, parameters, body, response, responseFields, errors, command } = route
  return (
    <details id={id} className="route">
      <summary>
        <h3>
          <code className="method" data-method={method}>
            {method}
          </code>{' '}
          <code className="path">{path}</code>
        </h3>
        <span className="summary">{summary}</span>
      </summary>
      <p>
        Needs the scope{' '}
        {scopes.map((scope, index) => (
          <span key={scope}>
            {index > 0 && ' or '}
            <code>{scope}</code>
          </span>
        ))}
        .
      </p>
      <FieldList title="Parameters" fields={parameters} />
      <FieldList title="Body" fields={body} />
      <h4>Example</h4>
      <pre>{command}</pre>
      <h4>Answer</h4>
      <p>{response}.</p>
      <FieldList title="" fields={responseFields} />
      {errors.length > 0 && (
        <>
          <h4>Errors</h4>
          <ul className="errors">
            {errors.map(({ code, status, sentence }) => (
              <li key={code}>
                <code>
                  {status} {code}
                </code>{' '}
                {sentence}
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  )
}

const FieldList = ({ title, fields }: { title: string; fields: readonly ApiField[] }) =>
  fields.length > 0 && (
    <>
      {title && <h4>{title}</h4>}
      <ul className="fields">
        {fields.map(({ name, type, isRequired }) => (
          <li key={name}>
            <code>{name}</code> {type}
            {isRequired && <em> required</em>}
          </li>
        ))}
      </ul>
    </>
  )
