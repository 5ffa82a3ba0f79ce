// Stores the documents of a recall set in a real store: a group becomes a project, a speaker the author of a memory.

/** @returns the project of each group, and the document of each memory. */
export function fillStore(product, path, documents) {
  const db = product.openDatabase(path);
  const projects = new Map();
  const sessions = new Map();
  const documentOf = new Map();
  db.exec('PRAGMA synchronous = OFF');
  const add = {
    project: db.prepare('INSERT INTO projects (name, created_at) VALUES (?, 0)'),
    session: db.prepare(`
      INSERT INTO sessions (agent, agent_session, project_id, first_seen, last_seen) VALUES ('bench', ?, ?, 0, 0)`),
    memory: db.prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id,
        branch, distiller, at, changed_at, said_by)
      VALUES (?, ?, ?, '', ?, ?, ?, 0, ?, ?, ?, 'bench', ?, 0, ?)`),
    file: db.prepare(
      "INSERT OR IGNORE INTO memory_files (memory_id, path, how, symbols) VALUES (?, ?, 'write', ?)",
    ),
  };
  const idOf = (known, name, insert) => {
    if (!known.has(name)) known.set(name, Number(insert().lastInsertRowid));
    return known.get(name);
  };
  const sessionOf = ({ group, session }, project) =>
    session === undefined || session === null
      ? null
      : idOf(sessions, `${group}\n${session}`, () => add.session.run(`${group}/${session}`, project));
  product.inTransaction(db, () => {
    for (const document of documents) {
      const project = idOf(projects, document.group, () => add.project.run(document.group));
      const session = sessionOf(document, project);
      const { lastInsertRowid: id } = add.memory.run(
        document.kind ?? 'note',
        document.type ?? null,
        document.title ?? '',
        document.text,
        JSON.stringify(document.facts ?? []),
        JSON.stringify(document.concepts ?? []),
        session,
        project,
        document.branch ?? null,
        timeOf(document),
        document.speaker ?? 'person',
      );
      documentOf.set(Number(id), document.id);
      const symbols = JSON.stringify(document.symbols ?? []);
      const files = document.files ?? [];
      // The store has the symbols of a file; any file will do.
      if (files.length === 0 && document.symbols?.length > 0) add.file.run(id, '', symbols);
      for (const [index, file] of files.entries()) add.file.run(id, file, index === 0 ? symbols : '[]');
    }
  });
  db.close();
  return { projects, documentOf };
}

/** Without a time, derives one from the position. */
export function timeOf({ at, order }) {
  const time = Date.parse(at);
  return Number.isNaN(time) ? (order ?? 0) * 1_000 : time;
}
