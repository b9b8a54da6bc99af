// Prints what a configuration of wrangler means to Miniflare, as JSON: node configuration.mjs FILE
import { unstable_getMiniflareWorkerOptions as configured } from "wrangler";

// The files of ./local.mjs are those of the build that it starts.
const { workerOptions } = configured(process.argv[2], undefined, { overrides: { assets: { directory: "." } } });
console.log(JSON.stringify(workerOptions));
