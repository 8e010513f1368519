import type { ApiDocsContent, PageResources } from '#contract/pages.ts'
import { Document } from '../Document.tsx'
import { Header } from '../Header.tsx'
import { ApiRouteDetails } from './ApiRouteDetails.tsx'

/** The public page about the API. */
export function ApiDocs({ content, resources }: { content: ApiDocsContent; resources: PageResources }) {
  const { groups } = content
  return (
    <Document
      title="API - Foyer"
      resources={resources}
      head={<meta name="description" content="How other programs read and change a Foyer workspace with an API key." />}
    >
      <Header>
        <nav className="nav" aria-label="API">
          <a href="/api-keys">API Keys</a>
        </nav>
      </Header>
      <div className="width api">
        <nav className="contents" aria-label="Contents">
          <ul>
            <li>
              <a href="#start">Start</a>
            </li>
            <li>
              <a href="#webhooks">Webhooks</a>
            </li>
            <li>
              <a href="#mcp">AI programs</a>
            </li>
            {groups.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ul>
        </nav>
        <main id="content" tabIndex={-1}>
          <h1>API</h1>
          <Start content={content} />
          <Webhooks content={content} />
          <section id="mcp">
            <h2>AI programs</h2>
            <p>
              Programs that speak the Model Context Protocol (MCP), such as assistants on your computer, work in the workspace at{' '}
              <code>{content.origin}/mcp</code>. Give them a key with the scopes <code>read</code> and, if they should make changes,{' '}
              <code>write</code>. A typical configuration:
            </p>
            <pre>{content.mcp}</pre>
          </section>
          {groups.map(({ id, title, routes }) => (
            <section key={id} id={id}>
              <h2>{title}</h2>
              {routes.map((route) => (
                <ApiRouteDetails key={route.id} route={route} />
              ))}
            </section>
          ))}
        </main>
      </div>
    </Document>
  )
}

function Start({ content: { leadCommand, errors } }: { content: ApiDocsContent }) {
  return (
    <section id="start">
      <p>
        Create a key on the page <a href="/api-keys">API Keys</a> and send it in the header <code>x-api-key</code>, or as{' '}
        <code>Authorization: Bearer</code>. For example, add a lead:
      </p>
      <pre>{leadCommand}</pre>
      <p>
        A key has scopes: <code>read</code> for everything that changes nothing, <code>write</code> for changes that can be undone, and{' '}
        <code>leads</code> for the function above alone. Each route below names the scopes of which a key needs one. A key belongs on a
        server: other websites cannot use it in a browser.
      </p>
      <p>
        <strong>Changes.</strong> The header <code>Foyer-Change</code> of a response is the id of the change, which{' '}
        <code>POST /api/changes/CHANGE_ID/undo</code> takes back. Send a new <code>Idempotency-Key</code> with each change, and the same one
        when you repeat it: it is then made once.
      </p>
      <p>
        <strong>Limits.</strong> 600 requests a minute with one key. Above that the status is 429, and the header <code>Retry-After</code>{' '}
        says how many seconds to wait.
      </p>
      <p>
        <strong>Errors</strong> are JSON with a <code>code</code>, a sentence in <code>detail</code>, and a sentence for each wrong field in{' '}
        <code>fields</code>. Every route may answer with these:
      </p>
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
      <p>
        The same description for programs: <a href="/api/openapi.json">OpenAPI 3.1</a>.
      </p>
    </section>
  )
}

const Webhooks = ({ content: { events, webhook } }: { content: ApiDocsContent }) => (
  <section id="webhooks">
    <h2>Webhooks</h2>
    <p>
      Foyer sends changes to the addresses that you add under <a href="/api-keys/webhooks">Webhooks</a>, in order for each record, and again
      for three days until the answer has a status from 200 to 299. Messages are signed by{' '}
      <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: verify them with one of its libraries and the secret of the
      endpoint. The header <code>webhook-id</code> is the same when a message is sent again.
    </p>
    <pre>{webhook}</pre>
    <p>
      A message about a new or deleted record has <code>record</code> in place of <code>changes</code>. The events are:
    </p>
    <ul className="events">
      {events.map((event) => (
        <li key={event}>
          <code>{event}</code>
        </li>
      ))}
    </ul>
  </section>
)
