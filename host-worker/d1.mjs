// Batches of D1, as the wasm module asks for them.

/**
 * Runs statements as one batch: each is a list of its query's name, its text and its parameters. `database` is D1, or what
 * changes prospects in several databases, which takes them as they are.
 */
export const runBatch = (database, statements) =>
  database.batch(database.takesNames ? statements : statements.map(([, text, ...values]) => database.prepare(text).bind(...values)));
