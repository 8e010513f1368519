/** Parses a CSV file (RFC 4180) with a header. Returns its rows by column. */
export function parseCsv(text: string): Record<string, string>[] {
  const lines: string[][] = [[]]
  // an optional byte order mark, a quoted cell (1) or an unquoted cell (2), and what ends the cell (3)
  const cell = /\u{FEFF}?(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/uy
  for (let match = cell.exec(text); match && match[0] !== ''; match = cell.exec(text)) {
    lines.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '')
    if (match[3] === '\r\n') lines.push([])
  }
  const [names = [], ...rows] = lines.filter((line) => line.length > 0)
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])))
}
