// Says in a sentence why a port of this machine cannot be used: node check-port.mjs PORT
import { createServer } from "node:net";

const [port] = process.argv.slice(2);
const sentences = {
  EADDRINUSE: `Port ${port} of 127.0.0.1 is in use.`,
  EACCES: `Port ${port} of 127.0.0.1 is reserved for the system's administrator. Choose one from 1024 on.`,
};
const server = createServer();
server.once("error", (error) => {
  console.error(sentences[error.code] ?? `Port ${port} of 127.0.0.1 cannot be used: ${error.message}.`);
  process.exit(1);
});
server.listen({ host: "127.0.0.1", port: Number(port) }, () => server.close());
